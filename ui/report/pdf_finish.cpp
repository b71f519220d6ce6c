#include "report/pdf_finish.h"

#include "report/units.h"

#include <QStringList>

#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include <exception>
#include <string>
#include <vector>

namespace shardrack {

namespace {

using Handle = QPDFObjectHandle;

Handle text(const QString& words) { return Handle::newUnicodeString(words.toStdString()); }
Handle number(double value) { return Handle::newReal(value, 2); }

/// Dots on a sheet to points from its lower left corner.
class Sheet {
public:
    explicit Sheet(const LaidOutReport& report)
        : m_height(report.style().page().height() * kPoint)
    {
    }
    double x(qreal dots) const { return dots * kPoint; }
    double y(qreal dots) const { return m_height - dots * kPoint; }

private:
    static constexpr double kPoint = 72.0 / kDotsPerInch;
    double m_height;
};

/// [page /XYZ left top null]: that place at the reader's zoom.
Handle destination(const Handle& page, const Sheet& sheet, qreal y)
{
    Handle array = Handle::newArray();
    array.appendItem(page);
    array.appendItem(Handle::newName("/XYZ"));
    array.appendItem(number(0));
    array.appendItem(number(sheet.y(y) + 6));
    array.appendItem(Handle::newNull());
    return array;
}

class Finisher {
public:
    Finisher(QPDF& pdf, const LaidOutReport& report)
        : m_pdf(pdf)
        , m_report(report)
        , m_sheet(report)
    {
        for (QPDFPageObjectHelper& page : QPDFPageDocumentHelper(pdf).getAllPages())
            m_pages.push_back(page.getObjectHandle());
    }

    void run()
    {
        catalog();
        information();
        outline();
        links();
    }

private:
    void catalog()
    {
        Handle root = m_pdf.getRoot();
        root.replaceKey("/Lang", Handle::newString("en"));
        Handle preferences = Handle::newDictionary();
        preferences.replaceKey("/DisplayDocTitle", Handle::newBool(true));
        root.replaceKey("/ViewerPreferences", preferences);
    }

    void information()
    {
        const ReportDocument& document = m_report.document();
        Handle trailer = m_pdf.getTrailer();
        Handle info = trailer.getKey("/Info");
        if (!info.isDictionary()) {
            info = m_pdf.makeIndirectObject(Handle::newDictionary());
            trailer.replaceKey("/Info", info);
        }
        info.replaceKey("/Author", text(QStringLiteral("Shardrack")));
        info.replaceKey("/Subject", text(document.subject));
        info.replaceKey("/Keywords", text(document.keywords));
    }

    struct Item {
        Handle handle;
        int level;
        std::vector<std::size_t> children;
    };

    /// Sections, and below each its parts.
    void outline()
    {
        const std::vector<OutlineEntry>& entries = m_report.outline();
        if (entries.empty())
            return;
        std::vector<Item> items;
        std::vector<std::size_t> top;
        for (const OutlineEntry& entry : entries) {
            Handle handle = m_pdf.makeIndirectObject(Handle::newDictionary());
            handle.replaceKey("/Title", text(entry.title));
            handle.replaceKey("/Dest",
                destination(m_pages.at(static_cast<std::size_t>(entry.page)), m_sheet, entry.y));
            const std::size_t number = items.size();
            if (entry.level > 1 && !top.empty())
                items[top.back()].children.push_back(number);
            else
                top.push_back(number);
            items.push_back({ handle, entry.level, {} });
        }
        Handle root = m_pdf.makeIndirectObject(Handle::newDictionary());
        root.replaceKey("/Type", Handle::newName("/Outlines"));
        chain(items, top, root, true);
        for (Item& item : items)
            if (!item.children.empty())
                chain(items, item.children, item.handle, false);
        m_pdf.getRoot().replaceKey("/Outlines", root);
        m_pdf.getRoot().replaceKey("/PageMode", Handle::newName("/UseOutlines"));
    }

    static void chain(std::vector<Item>& items, const std::vector<std::size_t>& numbers,
        Handle& parent, bool open)
    {
        parent.replaceKey("/First", items[numbers.front()].handle);
        parent.replaceKey("/Last", items[numbers.back()].handle);
        const auto count = static_cast<int>(numbers.size());
        parent.replaceKey("/Count", Handle::newInteger(open ? count : -count));
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            Handle& item = items[numbers[i]].handle;
            item.replaceKey("/Parent", parent);
            if (i > 0)
                item.replaceKey("/Prev", items[numbers[i - 1]].handle);
            if (i + 1 < numbers.size())
                item.replaceKey("/Next", items[numbers[i + 1]].handle);
        }
    }

    void links()
    {
        for (const PageLink& link : m_report.links()) {
            const OutlineEntry* target = nullptr;
            for (const OutlineEntry& entry : m_report.outline())
                if (entry.anchor == link.target)
                    target = &entry;
            if (!target)
                continue;
            Handle rect = Handle::newArray();
            for (const double side : { m_sheet.x(link.rect.left()), m_sheet.y(link.rect.bottom()),
                     m_sheet.x(link.rect.right()), m_sheet.y(link.rect.top()) })
                rect.appendItem(number(side));
            Handle border = Handle::newArray();
            for (int i = 0; i < 3; ++i)
                border.appendItem(Handle::newInteger(0));
            Handle annotation = m_pdf.makeIndirectObject(Handle::newDictionary());
            annotation.replaceKey("/Type", Handle::newName("/Annot"));
            annotation.replaceKey("/Subtype", Handle::newName("/Link"));
            annotation.replaceKey("/Rect", rect);
            annotation.replaceKey("/Border", border);
            annotation.replaceKey("/Dest",
                destination(
                    m_pages.at(static_cast<std::size_t>(target->page)), m_sheet, target->y));
            Handle& page = m_pages.at(static_cast<std::size_t>(link.page));
            Handle annotations = page.getKey("/Annots");
            if (!annotations.isArray())
                annotations = Handle::newArray();
            annotations.appendItem(annotation);
            page.replaceKey("/Annots", annotations);
        }
    }

    QPDF& m_pdf;
    const LaidOutReport& m_report;
    Sheet m_sheet;
    std::vector<Handle> m_pages;
};

} // namespace

Result<QByteArray> finishPdf(const QByteArray& pdf, const LaidOutReport& report)
{
    try {
        QPDF document;
        document.setSuppressWarnings(true);
        document.processMemoryFile("report", pdf.constData(), static_cast<std::size_t>(pdf.size()));
        Finisher(document, report).run();
        QPDFWriter writer(document);
        writer.setOutputMemory();
        writer.setDeterministicID(true);
        writer.setObjectStreamMode(qpdf_o_generate);
        writer.write();
        const auto buffer = writer.getBufferSharedPointer();
        return QByteArray(reinterpret_cast<const char*>(buffer->getBuffer()),
            static_cast<qsizetype>(buffer->getSize()));
    } catch (const std::exception& failure) {
        return Error { "", std::string("the PDF could not be finished: ") + failure.what(), "" };
    }
}

} // namespace shardrack
