#pragma once

#include <QtGlobal>

#include <csignal>
#include <sys/resource.h>

namespace shardrack {

/// Every write beyond this many bytes fails while it lives, as on a full disk.
class DiskFullAt {
public:
    explicit DiskFullAt(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~DiskFullAt()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    Q_DISABLE_COPY_MOVE(DiskFullAt)

private:
    rlimit m_before {};
    void (*m_handler)(int) = nullptr;
};

} // namespace shardrack
