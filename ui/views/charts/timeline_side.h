#pragma once

#include "plan/rank_timeline.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QLabel;

namespace shardrack {

class TextTable;

/// Beside the timeline: what is held at the cursor, largest first, and what a counter would read at
/// the moments at which somebody might look.
class TimelineSide : public QWidget {
    Q_OBJECT
public:
    explicit TimelineSide(QWidget* parent);
    void show(const std::shared_ptr<const RankTimeline>& rank, std::size_t moment);
    TextTable& held() { return *m_held; }
    TextTable& samples() { return *m_samples; }

signals:
    /// A row of the moments was chosen.
    void momentChosen(std::size_t moment);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fillHeld();
    void fillSamples();
    void restyle();

    std::shared_ptr<const RankTimeline> m_rank;
    std::size_t m_moment = 0;
    std::vector<std::size_t> m_sampleMoments; ///< by row
    bool m_filling = false;
    QLabel* m_title;
    TextTable* m_held;
    TextTable* m_samples;
    QLabel* m_advice;
};

} // namespace shardrack
