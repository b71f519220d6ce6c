#include "window/about.h"

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QMessageBox>
#include <QTableWidget>
#include <QVBoxLayout>

namespace shardrack {

void showAbout(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About Shardrack"),
        QObject::tr("<b>Shardrack %1</b><p>Plans how a model is trained on many GPUs: what every "
                    "device must hold over the whole step, where each number comes from, and what "
                    "is not established.<p>Free software under the GNU General Public License, "
                    "version 3. Built with Qt and JSON for Modern C++.<p>Nothing "
                    "leaves this machine: the program has no network code.")
            .arg(QApplication::applicationVersion()));
}

void showKeys(QWidget* parent)
{
    const struct {
        QString mouse;
        QString keys;
    } rows[] = {
        { QObject::tr("Drag a rack, server or GPU from the catalogue"),
            QObject::tr("Choose the row, Insert; arrows choose the place, Enter puts it down, Esc "
                        "gives up") },
        { QObject::tr("Drag a server or GPU to another place"),
            QObject::tr("Select it, M; arrows, Enter") },
        { QObject::tr("Hold Alt while dropping hardware: with or without ranks"),
            QObject::tr("Alt+Enter while carrying") },
        { QObject::tr("Drag a rank to another GPU"),
            QObject::tr("Select the GPU, R; type the rank, Enter") },
        { QObject::tr("Drag ranks onto a shard group"),
            QObject::tr("Select GPUs, G; choose the group") },
        { QObject::tr("Click, Ctrl+click, Shift+click, drag over empty canvas"),
            QObject::tr("Arrows, Shift+arrows; Ctrl+A for all") },
        { QObject::tr("Drop a plan or a model description on the window"),
            QObject::tr("Ctrl+O; File, Import") },
        { QObject::tr("Ctrl+wheel zooms, Space or the middle button pans"),
            QObject::tr("+ and −, Ctrl+0 for 100 %, Ctrl+9 to fit") },
        { QObject::tr("Drag an offer's tab"), QObject::tr("Ctrl+Shift+Page Up, Page Down") },
        { QObject::tr("Compare: click a name to open the offer, double-click a figure for its "
                      "arithmetic, a price or interconnect to edit it"),
            QObject::tr(
                "Ctrl+Shift+C; Ctrl+Enter; Enter; F2; Ctrl+C copies the table; Esc leaves") },
        { QObject::tr("Click into another panel"), QObject::tr("F6 and Shift+F6") },
    };
    QDialog dialog(parent);
    dialog.setWindowTitle(QObject::tr("Keyboard and mouse"));
    auto* column = new QVBoxLayout(&dialog);
    auto* table = new QTableWidget(int(std::size(rows)), 2, &dialog);
    table->setAccessibleName(dialog.windowTitle());
    table->setHorizontalHeaderLabels(
        { QObject::tr("With the mouse"), QObject::tr("With the keyboard") });
    table->verticalHeader()->hide();
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setWordWrap(true);
    for (int row = 0; row < table->rowCount(); ++row) {
        table->setItem(row, 0, new QTableWidgetItem(rows[row].mouse));
        table->setItem(row, 1, new QTableWidgetItem(rows[row].keys));
        table->setRowHeight(row, 40);
    }
    column->addWidget(table);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column->addWidget(buttons);
    dialog.resize(820, 520);
    dialog.exec();
}

} // namespace shardrack
