#include "account/megatron/partition.h"

#include "base/size_text.h"
#include "base/utf8.h"

#include <algorithm>

namespace shardrack {

namespace {

[[noreturn]] void refuse(std::string what, std::string expected)
{
    throw Failure({ "", std::move(what), std::move(expected) });
}

/// Writes out the repeats of a layout: "(tt|)*2t*3" is "tt|tt|ttt".
class LayoutText {
public:
    explicit LayoutText(const std::string& text)
        : m_text(text)
    {
    }
    std::string expand()
    {
        std::string out = sequence(0);
        if (m_at < m_text.size())
            refuse("the pipeline layout \"" + shortened(m_text) + "\" has a \")\" too many",
                "pairs of brackets");
        return out;
    }

private:
    static constexpr std::size_t kMost = 1 << 20;

    std::string sequence(int depth)
    {
        std::string out;
        if (depth > 16)
            refuse("the pipeline layout is nested too deeply", "at most 16 levels");
        while (m_at < m_text.size() && m_text[m_at] != ')') {
            std::string unit;
            if (m_text[m_at] == '(') {
                ++m_at;
                unit = sequence(depth + 1);
                if (m_at == m_text.size())
                    refuse("the pipeline layout \"" + shortened(m_text) + "\" lacks a \")\"",
                        "pairs of brackets");
                ++m_at;
            } else {
                unit = m_text.substr(m_at++, 1);
            }
            const std::size_t times = repeats();
            if (out.size() + unit.size() * times > kMost)
                refuse("the pipeline layout is longer than any model", "at most a million letters");
            for (std::size_t i = 0; i < times; ++i)
                out += unit;
        }
        return out;
    }
    std::size_t repeats()
    {
        if (m_at == m_text.size() || m_text[m_at] != '*')
            return 1;
        std::size_t number = 0;
        const std::size_t start = ++m_at;
        while (m_at < m_text.size() && m_text[m_at] >= '0' && m_text[m_at] <= '9' && number < kMost)
            number = number * 10 + std::size_t(m_text[m_at++] - '0');
        if (m_at == start)
            refuse("the pipeline layout \"" + shortened(m_text) + "\" has a \"*\" without a number",
                "\"t*3\"");
        return number;
    }
    const std::string& m_text;
    std::size_t m_at = 0;
};

Partition byLayout(const MegatronRun& run, std::int64_t stages)
{
    Partition partition;
    partition.stages = stages;
    partition.chunks.emplace_back();
    for (const char letter : LayoutText(run.settings.pipelineLayout).expand()) {
        Chunk& chunk = partition.chunks.back();
        if (letter == '|')
            partition.chunks.emplace_back();
        else if (letter == 't')
            ++chunk.layers;
        else if (letter == 'E')
            chunk.embedding = true;
        else if (letter == 'L')
            chunk.head = true;
        else if (letter != ' ' && letter != ',')
            refuse(std::string("the pipeline layout has the letter \"") + letter
                    + "\", which is not computed yet",
                "E, t, L, |, brackets and *");
    }
    const auto chunks = std::int64_t(partition.chunks.size());
    if (chunks % stages != 0)
        refuse("the pipeline layout has " + grouped(chunks) + " chunks, which is no multiple of "
                + grouped(stages) + " stages",
            "as many \"|\" as chunks, less one");
    partition.chunksPerStage = chunks / stages;
    std::int64_t layers = 0;
    for (const Chunk& chunk : partition.chunks)
        layers += chunk.layers;
    if (layers != run.shape.layers)
        refuse("the pipeline layout has " + grouped(layers) + " layers, and the model has "
                + grouped(run.shape.layers),
            "one \"t\" for each layer");
    if (!partition.chunks.front().embedding || !partition.chunks.back().head)
        refuse("the pipeline layout does not begin with the embedding and end with the loss",
            "\"E…L\"");
    return partition;
}

/// Layers of the stages, where the first and the last have their own number.
std::vector<std::int64_t> layersOfStages(const MegatronRun& run, std::int64_t stages)
{
    const std::int64_t first = run.settings[Switch::FirstStageLayers];
    const std::int64_t last = run.settings[Switch::LastStageLayers];
    const std::int64_t counted
        = run.shape.layers + run.settings[Switch::CountEmbedding] + run.settings[Switch::CountLoss];
    const std::int64_t between = stages - (first > 0 ? 1 : 0) - (last > 0 ? 1 : 0);
    const std::int64_t left = counted - first - last;
    if (left < 0 || (between <= 0 && left != 0) || (between > 0 && left % between != 0))
        refuse(grouped(left) + " layers do not divide evenly over "
                + grouped(std::max<std::int64_t>(0, between)) + " pipeline stages",
            "a multiple, or layers of the first and last stage, or a pipeline layout");
    std::vector<std::int64_t> layers(std::size_t(stages), between > 0 ? left / between : 0);
    if (first > 0)
        layers.front() = first;
    if (last > 0)
        layers.back() = last;
    return layers;
}

} // namespace

Partition partitionOf(const MegatronRun& run)
{
    const std::int64_t stages = run.degrees.pipeline;
    if (run.settings.on(Switch::PipelineLayout))
        return byLayout(run, stages);
    const std::int64_t chunks = stages > 1 ? run.settings[Switch::VirtualStages] : 1;
    if (stages > run.shape.layers + 2 || chunks > run.shape.layers + 2)
        refuse(grouped(stages) + " pipeline stages for " + grouped(run.shape.layers) + " layers",
            "at most as many stages as layers");
    const std::vector<std::int64_t> layers = layersOfStages(run, stages);
    Partition partition;
    partition.stages = stages;
    partition.chunksPerStage = chunks;
    partition.chunks.resize(std::size_t(stages * chunks));
    for (std::int64_t stage = 0; stage < stages; ++stage) {
        const std::int64_t all = layers[std::size_t(stage)];
        if (all % chunks != 0)
            refuse(grouped(all) + " layers of a stage do not divide evenly over " + grouped(chunks)
                    + " chunks",
                "a multiple of the chunks");
        for (std::int64_t chunk = 0; chunk < chunks; ++chunk)
            partition.chunks[std::size_t(chunk * stages + stage)].layers = all / chunks;
    }
    Chunk& first = partition.chunks.front();
    Chunk& last = partition.chunks.back();
    first.embedding = true;
    last.head = true;
    first.layers -= run.settings[Switch::CountEmbedding];
    last.layers -= run.settings[Switch::CountLoss];
    if (first.layers < 0 || last.layers < 0)
        refuse("the embedding or the loss counts as a layer of a chunk that has none",
            "more layers a chunk");
    return partition;
}

} // namespace shardrack
