#include "site/catalogue.h"

#include "base/size_text.h"
#include "resources/resources.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardrack {
namespace {

constexpr int kVersion = 1;
constexpr int kMaximumUnits = 100;
constexpr int kMaximumSlots = 1024;

/// A size written with its unit, "81559 MiB".
Bytes size(const JsonView& view)
{
    const auto parsed = parseSize(view.string());
    if (!parsed)
        view.fail(parsed.error().what, parsed.error().expected);
    return *parsed;
}

int count(const JsonView& view, int maximum) { return int(view.integer(1, maximum)); }

/// The member `key`, or where it is absent the stand-in with `known` false.
int countOrStandIn(const JsonView& view, const char* key, const char* standIn, bool& known)
{
    known = view.has(key);
    return count(view.at(known ? key : standIn), kMaximumUnits);
}

bool isUsual(const JsonView& view) { return view.has("usual") && view.at("usual").boolean(); }

GpuType gpuType(const JsonView& view)
{
    GpuType gpu;
    gpu.id = view.at("id").string();
    gpu.name = view.at("name").string();
    gpu.shortName = view.at("short_name").string();
    gpu.vendor = view.at("vendor").string();
    gpu.formFactor = view.at("form_factor").string();
    gpu.installedIsLabel = view.has("label");
    gpu.installed = size(view.at(gpu.installedIsLabel ? "label" : "reported"));
    const JsonView usable = view.at("usable");
    gpu.usable = size(usable);
    if (gpu.usable > gpu.installed)
        usable.fail("is more than is installed", "at most " + exactText(gpu.installed));
    gpu.usableConfirmed = !view.has("usable_confirmed") || view.at("usable_confirmed").boolean();
    gpu.usableSource = view.at("usable_source").string();
    gpu.source = optionalText(view, "source");
    gpu.notes = optionalText(view, "notes");
    if (const auto capability = view.find("compute_capability"))
        gpu.architecture = static_cast<int>(capability->integer(10, 999));
    gpu.usual = isUsual(view);
    return gpu;
}

ServerType serverType(const JsonView& view)
{
    ServerType server;
    server.id = view.at("id").string();
    server.name = view.at("name").string();
    server.gpu = view.at("gpu").string();
    server.gpuSlots = count(view.at("gpu_slots"), kMaximumSlots);
    server.height = countOrStandIn(view, "height", "stand_in_height", server.heightKnown);
    server.fabric = optionalText(view, "fabric");
    server.usual = isUsual(view);
    return server;
}

RackType rackType(const JsonView& view)
{
    RackType rack;
    rack.id = view.at("id").string();
    rack.name = view.at("name").string();
    rack.units = countOrStandIn(view, "units", "stand_in_units", rack.unitsKnown);
    rack.usual = isUsual(view);
    return rack;
}

template <class Type> const Type* find(const std::vector<Type>& types, std::string_view id)
{
    const auto found = std::find_if(
        types.begin(), types.end(), [id](const Type& type) { return type.id == id; });
    return found == types.end() ? nullptr : &*found;
}

template <class Type>
std::vector<Type> readList(const JsonView& list, Type (*read)(const JsonView&))
{
    std::vector<Type> types;
    for (const JsonView& item : list.items()) {
        Type type = read(item);
        if (find(types, type.id))
            item.at("id").fail("is \"" + type.id + "\", given a second time", "each id once");
        types.push_back(std::move(type));
    }
    return types;
}

} // namespace

Result<Catalogue> Catalogue::parse(std::string_view text)
{
    return attempt([&] {
        const Json json = parseJson(text).value();
        const JsonView root(json, "$");
        if (root.at("format").string() != "shardrack-catalogue")
            root.at("format").fail("names another format", "\"shardrack-catalogue\"");
        (void)root.at("version").integer(kVersion, kVersion);
        Catalogue catalogue;
        catalogue.m_gpus = readList(root.at("gpus"), gpuType);
        if (const auto sources = root.find("sources"))
            for (GpuType& gpu : catalogue.m_gpus)
                gpu.source = optionalText(*sources, gpu.source.c_str());
        catalogue.m_servers = readList(root.at("servers"), serverType);
        catalogue.m_racks = readList(root.at("racks"), rackType);
        for (const JsonView& server : root.at("servers").items())
            if (const JsonView gpu = server.at("gpu"); !catalogue.gpu(gpu.string()))
                gpu.fail("is \"" + gpu.string() + "\", which is no GPU here", "the id of a GPU");
        return catalogue;
    });
}

const Catalogue& Catalogue::builtIn()
{
    static const Catalogue catalogue = parse(resourceText("catalogue.json")).value();
    return catalogue;
}

const GpuType* Catalogue::gpu(std::string_view id) const { return find(m_gpus, id); }

const ServerType* Catalogue::server(std::string_view id) const { return find(m_servers, id); }

const RackType* Catalogue::rack(std::string_view id) const { return find(m_racks, id); }

} // namespace shardrack
