#include "account/megatron/memory.h"

#include "account/megatron/emit.h"

namespace shardrack {

MegatronMemory::MegatronMemory(const MegatronRun& run, std::uint32_t without)
    : m_run(run)
    , m_blocks(std::make_unique<const MegatronBlocks>(run))
    , m_partition(partitionOf(run))
    , m_cache(std::make_unique<StretchCache>())
    , m_without(without)
{
}

MegatronMemory::~MegatronMemory() = default;

MegatronStage MegatronMemory::stage(std::int64_t number) const
{
    return { m_run, *m_blocks, m_partition, number };
}

const MegatronStage& MegatronMemory::known(std::int64_t number)
{
    // Middle stages with equal chunks differ in nothing but the number of micro-batches alive.
    bool same = m_known && m_known->stage > 0 && number > 0;
    for (std::int64_t chunk = 0; same && chunk < m_partition.chunksPerStage; ++chunk)
        same = m_known->chunks[std::size_t(chunk)] == m_partition.at(number, chunk);
    if (same)
        m_known->stage = number;
    else
        m_known = std::make_unique<MegatronStage>(m_run, *m_blocks, m_partition, number);
    return *m_known;
}

StageMemory MegatronMemory::memory(std::int64_t number)
{
    const MegatronStage& one = known(number);
    NumberSink sink(*m_cache, m_without);
    emitMegatron(one, sink);
    return { sink.finder.peaks(), sink.finder.byPhase(), sink.finder.held(), one.parameters };
}

Peak MegatronMemory::steadyPeak(std::int64_t number)
{
    const MegatronStage& one = known(number);
    NumberSink sink(*m_cache, m_without);
    emitMegatronSteady(one, sink);
    return sink.finder.peaks().peak;
}

NamedTrace namedTrace(const MegatronStage& stage, std::uint32_t without)
{
    NamedTraceSink sink(without);
    emitMegatron(stage, sink);
    return { std::move(sink.trace), std::move(sink.pieces) };
}

} // namespace shardrack
