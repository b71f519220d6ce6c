#include "account/megatron/memory.h"

#include "account/megatron/sinks.h"

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

StageMemory MegatronMemory::memory(std::int64_t number)
{
    const MegatronStage one = stage(number);
    NumberSink sink(*m_cache, m_without);
    emitMegatron(one, sink);
    return { sink.finder.peaks(), sink.finder.byPhase(), sink.finder.held(), one.parameters };
}

Peak MegatronMemory::steadyPeak(std::int64_t number)
{
    const MegatronStage one = stage(number);
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
