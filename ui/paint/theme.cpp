#include "paint/theme.h"

#include <algorithm>
#include <cmath>

namespace shardrack {

namespace {

QColor hex(QRgb rgb) { return QColor(rgb); }

void setCategories(Theme& theme)
{
    const auto set = [&theme](Category category, QRgb fill, HatchKind kind, qreal tile, qreal width,
                         QRgb pen, QRgb pad, QColor padText) {
        theme.categories[index(category)]
            = { hex(fill), { kind, tile, width, hex(pen) }, hex(pad), padText };
    };
    const QColor white(Qt::white);
    set(Category::Parameters, 0x0072B2, HatchKind::None, 6, 1, 0x0072B2, 0x0072B2, white);
    set(Category::Gradients, 0x56B4E9, HatchKind::Rising, 6, 1, 0x3487B8, 0x56B4E9, hex(0x0B2233));
    set(Category::Optimizer, 0x009E73, HatchKind::Horizontal, 5, 1, 0x61C3A8, 0x00795A, white);
    set(Category::State, 0x1B7C97, HatchKind::None, 6, 1, 0x1B7C97, 0x1B7C97, white);
    set(Category::Gathered, 0xCC79A7, HatchKind::Falling, 6, 1, 0x994F7A, 0xCC79A7, hex(0x2B0F20));
    set(Category::Activations, 0xE69F00, HatchKind::Dots, 6, 1, 0xA36F00, 0xE69F00, hex(0x2E2000));
    set(Category::Temporary, 0xF0E442, HatchKind::Vertical, 5, 1, 0xB7AD21, 0xF0E442,
        hex(0x2F2C00));
    const QRgb slack = theme.isDark ? 0x4A5259 : 0xDDE1E5;
    set(Category::Slack, slack, HatchKind::SparseDots, 6, 2, theme.isDark ? 0x6D767D : 0xBAC0C6,
        slack, theme.text);
    set(Category::Outside, theme.isDark ? 0x87919A : 0x828D96, HatchKind::Cross, 6, 1,
        theme.isDark ? 0x5C636A : 0xB4BBC0, 0x5F6974, white);
    theme.openHatch = { HatchKind::Rising, 8, 1, theme.open };
    theme.overHatch = { HatchKind::Falling, 7, 1.6, theme.over };
}

Theme makeLight()
{
    Theme t;
    t.isDark = false;
    t.win = hex(0xEFF0F1), t.title = hex(0xE9EBED), t.dock = hex(0xE6E9EB), t.view = hex(0xFFFFFF);
    t.alt = hex(0xF5F6F7), t.canvas = hex(0xF3F4F5), t.dot = hex(0xE2E5E8), t.pop = hex(0xFFFFFF);
    t.line = hex(0xC3C9CE), t.line2 = hex(0xD8DCE0), t.line3 = hex(0xEBEEF0);
    t.btn = hex(0xFCFCFC), t.btnLine = hex(0xBCC3C9);
    t.text = hex(0x1F2529), t.text2 = hex(0x55606A), t.text3 = hex(0x69747E), t.dis = hex(0x9BA3AA);
    t.accent = hex(0x2F6BC4), t.accentTint = hex(0xE1EBF9), t.link = hex(0x1F57A8);
    t.over = hex(0xD55E00), t.overText = hex(0xA64200), t.overTint = hex(0xFBE8DA);
    t.ok = hex(0x00795A), t.okText = hex(0x006A4F), t.okTint = hex(0xDDF1EA);
    t.open = hex(0x5F6974), t.openText = hex(0x46505A), t.openTint = hex(0xE7EAED);
    t.flag = hex(0x7A5C00), t.flagTint = hex(0xFBF3CF);
    t.rack = hex(0xE4E7EA), t.rackLine = hex(0xAEB6BD);
    t.server = hex(0xFBFCFC), t.serverHead = hex(0xEDF0F2);
    t.cell = hex(0xFFFFFF), t.cellLine = hex(0xC6CDD3);
    t.grid = hex(0xE3E7EA), t.cap = hex(0x1F2529), t.inst = hex(0x8A949C);
    t.ramp = { hex(0xE1EAF1), hex(0xBDD2E2), hex(0x91B3CE), hex(0x628FB4), hex(0x386A95),
        hex(0x17426A) };
    setCategories(t);
    return t;
}

Theme makeDark()
{
    Theme t;
    t.isDark = true;
    t.win = hex(0x2A2E32), t.title = hex(0x272B2F), t.dock = hex(0x31363B), t.view = hex(0x1D2023);
    t.alt = hex(0x24282C), t.canvas = hex(0x202427), t.dot = hex(0x2A2F33), t.pop = hex(0x2B3035);
    t.line = hex(0x454C53), t.line2 = hex(0x3A4147), t.line3 = hex(0x2C3136);
    t.btn = hex(0x33393E), t.btnLine = hex(0x545C64);
    t.text = hex(0xE8EBED), t.text2 = hex(0xA9B3BB), t.text3 = hex(0x8A949D), t.dis = hex(0x69727A);
    t.accent = hex(0x5B9DF0), t.accentTint = hex(0x22364F), t.link = hex(0x85B8F8);
    t.over = hex(0xE8701A), t.overText = hex(0xFF9D5C), t.overTint = hex(0x4A2A14);
    t.ok = hex(0x2BB58A), t.okText = hex(0x57D3AC), t.okTint = hex(0x15392F);
    t.open = hex(0x98A3AD), t.openText = hex(0xC3CBD2), t.openTint = hex(0x3A4148);
    t.flag = hex(0xE9D27A), t.flagTint = hex(0x3D3717);
    t.rack = hex(0x2B3034), t.rackLine = hex(0x555E66);
    t.server = hex(0x262A2E), t.serverHead = hex(0x30353A);
    t.cell = hex(0x1D2023), t.cellLine = hex(0x454C53);
    t.grid = hex(0x2C3237), t.cap = hex(0xF2F4F5), t.inst = hex(0x8A949C);
    t.ramp = { hex(0x22303A), hex(0x2A4454), hex(0x345C74), hex(0x447A99), hex(0x5F9DC0),
        hex(0x93C6E2) };
    setCategories(t);
    return t;
}

double luminance(const QColor& color)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
        + 0.0722 * linear(color.blueF());
}

} // namespace

const Theme& Theme::matching(const QPalette& palette)
{
    const bool isDark = palette.color(QPalette::Window).lightness()
        < palette.color(QPalette::WindowText).lightness();
    return isDark ? dark() : light();
}

const Theme& Theme::light()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme = makeDark();
    return theme;
}

const QColor& Theme::rampColor(double level) const
{
    const double last = static_cast<double>(ramp.size() - 1);
    const double step = std::floor(level * static_cast<double>(ramp.size()));
    return ramp[static_cast<std::size_t>(std::clamp(step, 0.0, last))];
}

QColor Theme::veiled(const QColor& fill) const { return mixed(fill, view, 0.62); }

QPalette Theme::palette() const
{
    QPalette p;
    const auto all
        = [&p](QPalette::ColorRole role, const QColor& color) { p.setColor(role, color); };
    all(QPalette::Window, win);
    all(QPalette::WindowText, text);
    all(QPalette::Base, view);
    all(QPalette::AlternateBase, alt);
    all(QPalette::ToolTipBase, pop);
    all(QPalette::ToolTipText, text);
    all(QPalette::PlaceholderText, text3);
    all(QPalette::Text, text);
    all(QPalette::Button, btn);
    all(QPalette::ButtonText, text);
    all(QPalette::BrightText, overText);
    all(QPalette::Light, isDark ? line2 : view);
    all(QPalette::Midlight, line3);
    all(QPalette::Mid, line);
    all(QPalette::Dark, btnLine);
    all(QPalette::Shadow, isDark ? mixed(win, QColor(Qt::black), 0.6) : rackLine);
    all(QPalette::Highlight, accent);
    all(QPalette::HighlightedText, isDark ? view : QColor(Qt::white));
    all(QPalette::Link, link);
    all(QPalette::LinkVisited, link);
    for (const auto role :
        { QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText })
        p.setColor(QPalette::Disabled, role, dis);
    p.setColor(QPalette::Disabled, QPalette::Base, win);
    p.setColor(QPalette::Disabled, QPalette::Button, win);
    p.setColor(QPalette::Disabled, QPalette::Highlight, line);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, text2);
    return p;
}

QColor mixed(const QColor& ground, const QColor& top, double share)
{
    const auto channel = [share](int below, int above) {
        return static_cast<int>(std::lround(below + (above - below) * share));
    };
    return QColor(channel(ground.red(), top.red()), channel(ground.green(), top.green()),
        channel(ground.blue(), top.blue()));
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace shardrack
