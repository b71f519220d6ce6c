#include "models/catalogue_model.h"

#include "commands/drop.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace shardrack;

class TestCatalogueModel : public QObject {
    Q_OBJECT
private slots:
    void tree();
    void rows();
    void everyRowIsCarried();
    void onlyEntriesAreDragged();
    void filtered();
};

void TestCatalogueModel::tree()
{
    const CatalogueModel model;
    const QAbstractItemModelTester tester(const_cast<CatalogueModel*>(&model));
    const Catalogue& catalogue = Catalogue::builtIn();
    const std::vector<std::pair<QString, std::size_t>> groups { { "Racks",
                                                                    catalogue.racks().size() },
        { "Servers", catalogue.servers().size() }, { "GPUs", catalogue.gpus().size() } };
    QCOMPARE(model.rowCount(), 3);
    for (int i = 0; i < 3; ++i) {
        const QModelIndex group = model.index(i, 0);
        QCOMPARE(group.data().toString(), groups[std::size_t(i)].first);
        QCOMPARE(model.rowCount(group), int(groups[std::size_t(i)].second));
        QCOMPARE(group.data(CatalogueModel::DetailRole).toString(),
            QString::number(groups[std::size_t(i)].second));
        QVERIFY(group.data(CatalogueModel::IsGroupRole).toBool());
        QCOMPARE(model.index(0, 0, group).parent(), group);
        QVERIFY(!model.hasChildren(model.index(0, 0, group)));
    }
}

void TestCatalogueModel::rows()
{
    const CatalogueModel model;
    const auto find = [&](int group, const QString& name, const QString& detail) {
        const QModelIndex parent = model.index(group, 0);
        for (int row = 0; row < model.rowCount(parent); ++row) {
            const QModelIndex index = model.index(row, 0, parent);
            if (index.data().toString() == name
                && index.data(CatalogueModel::DetailRole).toString() == detail)
                return index;
        }
        return QModelIndex();
    };
    const QModelIndex gpu = find(2, "H100-80GB", "SXM5, reports 79.65 GiB");
    QVERIFY(gpu.isValid());
    QCOMPARE(gpu.data(CatalogueModel::IconKindRole).value<CatalogueModel::IconKind>(),
        CatalogueModel::IconKind::Gpu);
    QVERIFY(gpu.data(Qt::ToolTipRole).toString().contains("Usable: 79.18 GiB"));
    QVERIFY(find(1, "8 × H100-80GB", "NVIDIA DGX H100, 8 U").isValid());
    QVERIFY(find(0, "Rack, 42 U", "up to 10 servers of 4 U").isValid());
}

void TestCatalogueModel::everyRowIsCarried()
{
    const CatalogueModel model;
    const PlanDocument document;
    int entries = 0;
    for (int group = 0; group < model.rowCount(); ++group) {
        const QModelIndex parent = model.index(group, 0);
        QVERIFY(!model.carried(parent));
        for (int row = 0; row < model.rowCount(parent); ++row, ++entries) {
            const QModelIndex index = model.index(row, 0, parent);
            const std::optional<Carried> carried = model.carried(index);
            QVERIFY(carried && carried->isNew());
            const std::unique_ptr<QMimeData> data(model.mimeData({ index }));
            QVERIFY(fromMime(*data, document) == carried);
            QVERIFY(carriedText(*carried, document).startsWith(index.data().toString()));
            QVERIFY(!index.data(Qt::ToolTipRole).toString().isEmpty());
            QVERIFY(!index.data(Qt::AccessibleTextRole).toString().isEmpty());
        }
    }
    QVERIFY(entries > 10);
}

void TestCatalogueModel::onlyEntriesAreDragged()
{
    const CatalogueModel model;
    const QModelIndex group = model.index(1, 0);
    const QModelIndex entry = model.index(0, 0, group);
    QVERIFY(!(group.flags() & (Qt::ItemIsDragEnabled | Qt::ItemIsSelectable)));
    QVERIFY(entry.flags() & Qt::ItemIsDragEnabled);
    QVERIFY(!(entry.flags() & Qt::ItemIsDropEnabled));
    QCOMPARE(model.mimeData({ group }), nullptr);
    QCOMPARE(model.mimeTypes(), QStringList { carriedMimeType() });
    QCOMPARE(model.supportedDragActions(), Qt::DropActions(Qt::CopyAction));
}

void TestCatalogueModel::filtered()
{
    CatalogueModel model;
    QSortFilterProxyModel proxy;
    proxy.setRecursiveFilteringEnabled(true);
    proxy.setFilterRole(CatalogueModel::FilterRole);
    proxy.setFilterCaseSensitivity(Qt::CaseInsensitive);
    proxy.setSourceModel(&model);
    const QAbstractItemModelTester tester(&proxy);
    proxy.setFilterFixedString("dgx h100");
    QCOMPARE(proxy.rowCount(), 1);
    QCOMPARE(proxy.rowCount(proxy.index(0, 0)), 1);
    proxy.setFilterFixedString("nothing of that name");
    QCOMPARE(proxy.rowCount(), 0);
    proxy.setFilterFixedString("");
    QCOMPARE(proxy.rowCount(), 3);
}

QTEST_GUILESS_MAIN(TestCatalogueModel)
#include "test_catalogue_model.moc"
