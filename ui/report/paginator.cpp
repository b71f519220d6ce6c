#include "report/paginator.h"

namespace shardrack {

namespace {

class Pages {
public:
    Pages(const PieceList& list, qreal height)
        : m_list(list)
        , m_height(height)
        , m_pages(1)
    {
    }

    std::vector<PageContent> take() &&
    {
        const std::vector<Piece>& pieces = m_list.pieces;
        for (std::size_t first = 0; first < pieces.size();) {
            const std::size_t end = endOfChain(first);
            if (pieces[first].newPage || !fits(first, end))
                breakPage();
            for (; first < end; ++first)
                place(pieces[first]);
        }
        return std::move(m_pages);
    }

private:
    /// One past the last piece that has to stay with `first`.
    std::size_t endOfChain(std::size_t first) const
    {
        const std::vector<Piece>& pieces = m_list.pieces;
        std::size_t end = first + 1;
        while (end < pieces.size() && pieces[end - 1].keepWithNext && !pieces[end].newPage)
            ++end;
        return end;
    }

    bool atHead() const { return m_pages.back().pieces.empty(); }

    bool fits(std::size_t first, std::size_t end) const
    {
        if (atHead())
            return true;
        qreal height = 0;
        for (std::size_t i = first; i < end; ++i)
            height += m_list.pieces[i].before + m_list.pieces[i].height;
        return m_y + height <= m_height + 0.5;
    }

    void breakPage()
    {
        if (atHead())
            return;
        m_pages.emplace_back();
        m_y = 0;
    }

    void place(const Piece& piece)
    {
        // Inside a chain that no page holds.
        if (!atHead() && m_y + piece.before + piece.height > m_height + 0.5)
            breakPage();
        if (atHead() && piece.header >= 0)
            put(m_list.headers[static_cast<std::size_t>(piece.header)], true);
        put(piece, false);
    }

    void put(const Piece& piece, bool repeated)
    {
        if (!atHead())
            m_y += piece.before;
        m_pages.back().pieces.push_back({ &piece, m_y, repeated });
        m_y += piece.height;
    }

    const PieceList& m_list;
    qreal m_height;
    std::vector<PageContent> m_pages;
    qreal m_y = 0;
};

} // namespace

std::vector<PageContent> paginate(const PieceList& list, qreal height)
{
    return Pages(list, height).take();
}

} // namespace shardrack
