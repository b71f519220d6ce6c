#include "plan/edit_json_values.h"

#include <nlohmann/json.hpp>

#include <array>
#include <type_traits>

namespace shardrack {

/// Lists of values that have no form of their own.
template <class T> static Json toValue(const std::vector<T>& values)
{
    Json json = Json::array();
    for (const T& value : values)
        json.push_back(toValue(value));
    return json;
}

template <class T> static void fromValue(const JsonView& view, std::vector<T>& values)
{
    values.clear();
    for (const JsonView& item : view.items())
        fromValue(item, values.emplace_back());
}

namespace {

class Writer {
public:
    /// An edit that is only read.
    template <class E> using Of = const E;

    explicit Writer(const char* name)
        : m_json { { "edit", name } }
    {
    }
    template <class T> Writer& operator()(const char* key, const T& value)
    {
        m_json[key] = toValue(value);
        return *this;
    }
    template <class T> Writer& operator()(const char* key, const std::optional<T>& value)
    {
        if (value)
            m_json[key] = toValue(*value);
        return *this;
    }
    Json json() && { return std::move(m_json); }

private:
    Json m_json;
};

class Reader {
public:
    template <class E> using Of = E;

    explicit Reader(const JsonView& view)
        : m_view(view)
    {
    }
    template <class T> Reader& operator()(const char* key, T& value)
    {
        fromValue(m_view.at(key), value);
        return *this;
    }
    template <class T> Reader& operator()(const char* key, std::optional<T>& value)
    {
        if (const auto member = m_view.find(key))
            fromValue(*member, value.emplace());
        return *this;
    }

private:
    const JsonView& m_view;
};

// The members of each edit, once for writing and for reading.

template <class Io> void members(Io& io, typename Io::template Of<edit::SetTitle>& e)
{
    io("title", e.title);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetMargin>& e)
{
    io("margin", e.margin);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetWorkload>& e)
{
    io("workload", e.workload);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetOfferWorkload>& e)
{
    io("offer", e.offer)("workload", e.workload);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MakeWorkloadCommon>& e)
{
    io("offer", e.offer);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetBasis>& e)
{
    io("offer", e.offer)("changed_basis", e.statements);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetAssumptions>& e)
{
    io("offer", e.offer)("assumptions", e.assumptions);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetInterconnect>& e)
{
    io("offer", e.offer)("interconnect", e.interconnect);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetPrice>& e)
{
    io("offer", e.offer)("price", e.price);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetMeasurements>& e)
{
    io("offer", e.offer)("measurements", e.measurements);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetOutcome>& e)
{
    io("offer", e.offer)("training_result", e.outcome);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::AddOffer>& e)
{
    io("plan", e.offer)("position", e.position);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RemoveOffer>& e)
{
    io("offer", e.offer);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RenameOffer>& e)
{
    io("offer", e.offer)("name", e.name);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveOffer>& e)
{
    io("offer", e.offer)("to", e.to);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::AddRack>& e)
{
    io("offer", e.offer)("rack", e.rack)("position", e.position)("ranks", e.ranks);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RemoveRack>& e)
{
    io("offer", e.offer)("rack", e.rack);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveRack>& e)
{
    io("offer", e.offer)("rack", e.rack)("to", e.to);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RenameRack>& e)
{
    io("offer", e.offer)("rack", e.rack)("name", e.name);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::AddServer>& e)
{
    io("offer", e.offer)("rack", e.rack)("server", e.server)("ranks", e.ranks);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RemoveServer>& e)
{
    io("offer", e.offer)("server", e.server);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveServer>& e)
{
    io("offer", e.offer)("server", e.server)("rack", e.rack)("unit", e.unit);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RenameServer>& e)
{
    io("offer", e.offer)("server", e.server)("name", e.name);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::AddGpu>& e)
{
    io("offer", e.offer)("server", e.server)("type", e.type)("ranks", e.ranks)(
        "confirmed", e.confirmed);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RemoveGpu>& e)
{
    io("offer", e.offer)("gpu", e.gpu);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveGpu>& e)
{
    io("offer", e.offer)("gpu", e.gpu)("server", e.server);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveGpuToRack>& e)
{
    io("offer", e.offer)("gpu", e.gpu)("rack", e.rack)("unit", e.unit);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetUsable>& e)
{
    io("offer", e.offer)("gpus", e.gpus)("usable_bytes", e.usable)("confirmed", e.confirmed);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::SetLayout>& e)
{
    io("offer", e.offer)("layout", e.layout);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::AddRank>& e)
{
    io("offer", e.offer)("gpu", e.gpu);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::RemoveRank>& e)
{
    io("offer", e.offer)("ranks", e.ranks);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::MoveRank>& e)
{
    io("offer", e.offer)("rank", e.rank)("gpu", e.gpu);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::JoinGroup>& e)
{
    io("offer", e.offer)("ranks", e.ranks)("group", e.group)("distributes", e.distributes);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::LeaveGroups>& e)
{
    io("offer", e.offer)("ranks", e.ranks);
}
template <class Io> void members(Io& io, typename Io::template Of<edit::Restore>& e)
{
    io("plan", e.plan)("name", e.name);
}

/// In the order of the alternatives of Edit.
constexpr std::array<const char*, std::variant_size_v<Edit>> names { "set title", "set margin",
    "set workload", "set offer workload", "make workload common", "set basis", "set assumptions",
    "set interconnect", "set price", "set measurements", "set training result", "add offer",
    "remove offer", "rename offer", "move offer", "add rack", "remove rack", "move rack",
    "rename rack", "add server", "remove server", "move server", "rename server", "add gpu",
    "remove gpu", "move gpu", "move gpu to rack", "set usable", "set layout", "add rank",
    "remove rank", "move rank", "join group", "leave groups", "restore" };

template <class E> Edit read(const JsonView& view)
{
    E edit;
    Reader reader(view);
    members(reader, edit);
    return edit;
}

template <std::size_t... I>
Edit read(std::size_t kind, const JsonView& view, std::index_sequence<I...>)
{
    constexpr std::array<Edit (*)(const JsonView&), sizeof...(I)> readers {
        read<std::variant_alternative_t<I, Edit>>...
    };
    return readers[kind](view);
}

} // namespace

Json toJson(const Edit& edit)
{
    Writer writer(names[edit.index()]);
    std::visit([&](const auto& each) { members(writer, each); }, edit);
    return std::move(writer).json();
}

Result<Edit> editFromJson(const JsonView& view)
{
    return attempt([&] {
        const JsonView kind = view.at("edit");
        const std::string name = kind.string();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (name == names[i])
                return read(i, view, std::make_index_sequence<names.size()> {});
        kind.fail("is \"" + name + '"', "the name of an edit, such as \"move server\"");
    });
}

} // namespace shardrack
