// Fuzzing entry: any bytes as a model's config.json. What is accepted can be counted.

#include "workload/model.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace shardrack;
    const auto reading
        = readModelConfig(std::string_view(reinterpret_cast<const char*>(data), size), "fuzzed");
    if (!reading.ok()) {
        if (reading.error().what.empty())
            std::abort();
        return 0;
    }
    const auto count = countParameters(reading->architecture);
    if (!count.ok() || count->total <= 0 || count->active > count->total)
        std::abort();
    return 0;
}
