#pragma once

#include "document/plan_document.h"

#include <QTabBar>

class QLineEdit;

namespace shardrack {

/// One tab an offer: verdict glyph, bold name, one phrase about its layout, and the badge of a
/// layout that is not legal. Tabs are renamed by double click or F2, closed with undo, and dragged
/// to reorder.
class OfferTabs : public QTabBar {
    Q_OBJECT
public:
    explicit OfferTabs(PlanDocument& document, QWidget* parent = nullptr);

public slots:
    /// A copy of the current offer, or an empty one when there is none.
    void addOffer();
    void duplicateOffer();
    void renameOffer();
    void closeOffer();
    /// The offer in front answers the common workload again.
    void backToCommonBasis();
    /// The workload of the offer in front becomes the common one.
    void makeWorkloadCommon();
    /// One place to the left (-1) or right (+1).
    void moveOffer(int by);

signals:
    void refused(const QString& reason);

protected:
    QSize tabSizeHint(int index) const override;
    QSize minimumTabSizeHint(int index) const override;
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Face {
        QString name;
        QString phrase;
        Capacity capacity = Capacity::Open;
        bool legal = true;
        bool changedBasis = false;
    };
    void refresh();
    void addCloseButton(int tab);
    void finishRename(bool accept);
    bool run(const Edit& edit);

    PlanDocument& m_document;
    std::vector<Face> m_faces;
    QLineEdit* m_editor = nullptr;
    int m_edited = -1;
    bool m_refreshing = false;
};

} // namespace shardrack
