#include "account/pytorch/memory.h"

#include "account/pytorch/emit.h"

namespace shardrack {

TorchMemory::TorchMemory(const TorchRun& run, std::uint32_t without, std::int64_t pipelineStage,
    std::shared_ptr<TorchMeasured> measured)
    : m_measured(measured ? std::move(measured) : std::make_shared<TorchMeasured>(run))
    , m_stage(run, m_measured->blocks, pipelineStage)
    , m_cache(&m_measured->stretches, std::uint8_t(kLastOfBlocks))
    , m_without(without)
{
}

TorchPeaks TorchMemory::peaks()
{
    NumberSink sink(m_cache, m_without);
    emitTorch(m_stage, sink);
    return { sink.finder.peaks(), sink.finder.byPhase(), sink.finder.held() };
}

Peak TorchMemory::steadyPeak()
{
    NumberSink sink(m_cache, m_without);
    emitTorchSteady(m_stage, sink);
    return sink.finder.peaks().peak;
}

Bytes TorchMemory::pools() const
{
    StreamSink sink;
    emitTorch(m_stage, sink);
    return sink.sum();
}

NamedTrace TorchMemory::trace() const
{
    NamedTraceSink sink(m_without);
    emitTorch(m_stage, sink);
    return { std::move(sink.trace), std::move(sink.pieces) };
}

} // namespace shardrack
