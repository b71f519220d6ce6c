#include "report/device_table.h"

#include "account/device_state.h"
#include "paint/finding_glyphs.h"
#include "plan/account_parts.h"
#include "plan/report_words.h"

#include "base/size_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <numeric>

namespace shardrack {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(shardrack::Report)
};

QString q(const std::string& text) { return QString::fromStdString(text); }

class Rows {
public:
    Rows(const Comparison& comparison, std::size_t mostClasses)
        : m_comparison(comparison)
        , m_most(mostClasses)
    {
        m_table.title = QStringLiteral("devices");
        m_table.small = true;
        m_table.columns
            = { { false }, { true }, { false }, { true }, { true }, { true }, { false } };
        for (const char* name : { QT_TRANSLATE_NOOP("shardrack::Report", "Devices"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Number"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Capacity estimate"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Persistent state"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Need"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Usable"),
                 QT_TRANSLATE_NOOP("shardrack::Report", "Against usable") })
            m_table.header.push_back(
                { plain(QCoreApplication::translate("shardrack::Report", name)), {}, {}, false });
    }

    Table take() &&
    {
        for (std::size_t column = 0; column < m_comparison.offers.size(); ++column)
            addOffer(column);
        return std::move(m_table);
    }

private:
    static Cell cell(const QString& text, const QString& detail = {}, const Mark& mark = {})
    {
        return { plain(text), detail, mark, false };
    }

    static Cell sumCell(const Sum& sum)
    {
        if (sum.atLeast && sum.established == Bytes(0))
            return cell(Words::tr("not established"));
        return cell(q(gibText(sum.established)), sum.atLeast ? Words::tr("at least") : QString());
    }

    /// Slack makes a device tight and never over.
    static QString againstUsable(const DeviceClass& device, Capacity capacity)
    {
        const Bytes headroom = device.headroom();
        if (capacity == Capacity::Tight && headroom < Bytes(0))
            return Words::tr("slack does not fit whole, by %1")
                .arg(q(gibText(Bytes(0) - headroom)));
        return q(headroomText(device));
    }

    static Cell usableCell(const UsableAllocation& usable)
    {
        if (usable.provenance == Provenance::NotEstablished)
            return usable.bytes == Bytes(0)
                ? cell(Words::tr("not established"))
                : cell(q(gibText(usable.bytes)), Words::tr("not confirmed"));
        return cell(q(gibText(usable.bytes)),
            usable.provenance == Provenance::Derived ? Words::tr("catalogue")
                                                     : q(name(usable.provenance)));
    }

    void addOffer(std::size_t column)
    {
        const ComparedOffer& compared = m_comparison.offers[column];
        const Account& account = compared.assessment->account;
        m_table.groupRows.push_back(static_cast<int>(m_table.rows.size()));
        std::vector<Cell> group(m_table.columns.size());
        group.front() = cell(q(m_comparison.offer(column).name));
        if (!compared.changes.empty()) {
            group.front().mark = Icon::Changed;
            group.front().text = plain(
                Words::tr("%1, on a changed basis").arg(q(m_comparison.offer(column).name)));
        }
        m_table.rows.push_back(std::move(group));
        std::vector<std::size_t> order(account.deviceClasses.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const DeviceClass& x = account.deviceClasses[a];
            const DeviceClass& y = account.deviceClasses[b];
            return x.idle() != y.idle() ? y.idle() : x.headroom() < y.headroom();
        });
        const std::size_t shown = m_most == 0 ? order.size() : std::min(order.size(), m_most);
        for (std::size_t i = 0; i < shown; ++i)
            addClass(column, order[i]);
        if (shown < order.size())
            addRest(account, order, shown);
        addTotal(column);
    }

    QString names(std::size_t column, const RankSet& gpus) const
    {
        const ComparedOffer& compared = m_comparison.offers[column];
        const SiteIndex& index = compared.assessment->index;
        const Site& site = m_comparison.offer(column).site;
        const QString first = q(index.deviceName(site, gpus.front()));
        if (gpus.size() > 1 && gpus.intervals().size() > 1)
            return Words::tr("%1 and %2 equal").arg(first, q(grouped(gpus.size() - 1)));
        return gpus.size() == 1
            ? first
            : Words::tr("%1 to %2").arg(first, q(index.deviceName(site, gpus.back())));
    }

    QString rankNames(std::size_t column, const RankSet& gpus) const
    {
        constexpr qsizetype most = 34;
        const RankSet ranks = ranksOn(m_comparison.offers[column].assessment->layout, gpus);
        QString text = q(ranks.text());
        text.replace(u'-', u'–').replace(u',', QStringLiteral(", "));
        if (ranks.empty())
            return Words::tr("no rank");
        if (text.size() <= most)
            return (ranks.size() == 1 ? Words::tr("rank %1") : Words::tr("ranks %1")).arg(text);
        return Words::tr("%1 ranks from %2 to %3")
            .arg(q(grouped(ranks.size())), q(grouped(ranks.front())), q(grouped(ranks.back())));
    }

    void addClass(std::size_t column, std::size_t number)
    {
        const Assessment& assessment = *m_comparison.offers[column].assessment;
        const DeviceClass& device = assessment.account.deviceClasses[number];
        std::vector<Cell> row;
        row.push_back(cell(names(column, device.gpus), rankNames(column, device.gpus)));
        row.push_back(cell(q(grouped(device.gpus.size()))));
        if (device.idle()) {
            row.push_back(cell(Words::tr("in no finding")));
            for (std::size_t i = row.size(); i < m_table.columns.size(); ++i)
                row.push_back(cell(QStringLiteral("–")));
        } else {
            const Capacity capacity = assessment.findings.ofDeviceClass[number];
            row.push_back(cell(QCoreApplication::translate("shardrack::Core", title(capacity)), {},
                glyphOf(capacity)));
            row.push_back(sumCell(stateOf(assessment.account, device)));
            row.push_back(sumCell(device.need));
            row.push_back(usableCell(device.usable));
            row.push_back(cell(againstUsable(device, capacity)));
        }
        m_table.rows.push_back(std::move(row));
    }

    /// What is not listed is counted, so that the numbers add up.
    void addRest(const Account& account, const std::vector<std::size_t>& order, std::size_t shown)
    {
        std::int64_t devices = 0;
        std::optional<Bytes> least;
        std::optional<Bytes> most;
        bool open = false;
        for (std::size_t i = shown; i < order.size(); ++i) {
            const DeviceClass& device = account.deviceClasses[order[i]];
            devices += device.gpus.size();
            if (device.idle())
                continue;
            const Bytes need = device.need.established;
            least = std::min(least.value_or(need), need);
            most = std::max(most.value_or(need), need);
            open = open || device.need.atLeast;
        }
        const auto kinds = static_cast<std::int64_t>(order.size() - shown);
        std::vector<Cell> row(m_table.columns.size());
        row[0] = cell((kinds == 1 ? Words::tr("%1 further kind of device")
                                  : Words::tr("%1 further kinds of device"))
                          .arg(q(grouped(kinds))),
            Words::tr("not listed, less loaded"));
        row[1] = cell(q(grouped(devices)));
        if (least)
            row[4] = cell(*least == *most
                    ? q(gibText(*least))
                    : Words::tr("%1 to %2").arg(q(gibNumber(*least)), q(gibText(*most))),
                open ? Words::tr("at least") : QString());
        m_table.rows.push_back(std::move(row));
    }

    void addTotal(std::size_t column)
    {
        const Assessment& assessment = *m_comparison.offers[column].assessment;
        const Findings& findings = assessment.findings;
        std::vector<Cell> row(m_table.columns.size());
        row[0] = cell(Words::tr("All devices"));
        row[1] = cell(q(grouped(assessment.index.gpuCount())));
        row[2]
            = cell(Words::tr("%1 of %2 over capacity")
                       .arg(q(grouped(findings.devicesOver)), q(grouped(findings.devicesJudged))));
        row[3]
            = cell(assessment.account.stateEstablished ? q(gibText(assessment.account.stateTotal))
                                                       : Words::tr("not established"));
        row[5] = cell(q(gibText(assessment.account.installedTotal)), Words::tr("installed"));
        m_table.strongRows.push_back(static_cast<int>(m_table.rows.size()));
        m_table.rows.push_back(std::move(row));
    }

    const Comparison& m_comparison;
    std::size_t m_most;
    Table m_table;
};

} // namespace

Table deviceTable(const Comparison& comparison, std::size_t mostClasses)
{
    return Rows(comparison, mostClasses).take();
}

} // namespace shardrack
