#pragma once

#include "evidence/coverage.h"

#include <QWidget>

#include <optional>

namespace shardrack {

/// Demonstrated fit with its glyph and words, the rule that decided, and lines about coverage and
/// the highest reading. As tall as its text needs.
class EvidenceSummary : public QWidget {
    Q_OBJECT
public:
    explicit EvidenceSummary(QWidget* parent = nullptr);

    /// Shows a verdict; `lead` stands before its words ("With this:"). Nothing: empty.
    void show(const std::optional<Demonstrated>& value, const QString& lead, const QString& title,
        const QString& rule, const QStringList& lines = {});
    /// All of it as sentences.
    QString text() const { return accessibleDescription(); }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return { 80, 40 }; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Parts;
    Parts parts(int width) const;

    std::optional<Demonstrated> m_value;
    QString m_title;
    QString m_rule;
    QStringList m_lines;
};

} // namespace shardrack
