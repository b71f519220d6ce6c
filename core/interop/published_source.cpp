#include "interop/published_source.h"

#include "workload/pytorch_switches.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace shardrack {

namespace {

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

std::string lowered(std::string text)
{
    for (char& letter : text)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return text;
}

/// Repositories, and the framework whose habits their runs follow.
struct Publisher {
    const char* part; ///< of the source
    const char* framework;
};
constexpr std::array<Publisher, 11> kPublishers { {
    { "pytorch/torchtitan", "torchtitan" },
    { "torchtune", "torchtune" },
    { "Lightning-AI/litgpt", "litgpt" },
    { "Lightning-AI/lit-llama", "litgpt" },
    { "mosaicml/llm-foundry", "composer" },
    { "huggingface/transformers", "hf-trainer" },
    { "tatsu-lab/stanford_alpaca", "hf-trainer" },
    { "huggingface/peft", "hf-trainer" },
    { "foundation-model-stack/fms-fsdp", "pytorch-fsdp2" },
    { "meta-llama/llama-cookbook", "pytorch-fsdp2" },
    { "ROCm/TransformerEngine", "pytorch-fsdp2" },
} };

/// Issues and pull requests of torchtitan have one count, which tells the time: the month of each
/// of these pull requests.
struct Numbered {
    std::int64_t from;
    const char* month;
};
constexpr std::array<Numbered, 15> kTitanNumbers { {
    { 1, "2024-03" },
    { 318, "2024-05" },
    { 391, "2024-06" }, // logits dropped before backward
    { 510, "2024-08" },
    { 604, "2024-10" },
    { 755, "2024-12" },
    { 781, "2025-01" },
    { 817, "2025-02" },
    { 947, "2025-03" },
    { 1041, "2025-04" },
    { 1416, "2025-07" },
    { 1608, "2025-08" },
    { 2115, "2025-12" },
    { 2783, "2026-04" },
    { 3856, "2026-07" },
} };

std::int64_t numberAfter(std::string_view text, std::string_view part)
{
    const std::size_t at = text.find(part);
    std::int64_t number = 0;
    if (at == std::string_view::npos)
        return number;
    for (std::size_t i = at + part.size();
         i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0; ++i)
        number = number * 10 + (text[i] - '0');
    return number;
}

/// The first "2024-06", "202412" or "2024" of a text, as "2024-06"; a bare year is its middle.
std::string monthIn(std::string_view text)
{
    for (std::size_t i = 0; i + 4 <= text.size(); ++i) {
        if (text.compare(i, 2, "20") != 0
            || (i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1])) != 0))
            continue;
        std::string digits;
        for (std::size_t k = i; k < text.size() && digits.size() < 6; ++k)
            if (std::isdigit(static_cast<unsigned char>(text[k])) != 0)
                digits += text[k];
            else if (!(text[k] == '-' && digits.size() == 4))
                break;
        if (digits.size() == 6)
            return digits.substr(0, 4) + "-" + digits.substr(4);
        if (digits.size() == 4)
            return digits + "-06";
    }
    return {};
}

} // namespace

std::string frameworkOf(const std::string& source)
{
    for (const Publisher& publisher : kPublishers)
        if (contains(lowered(source), lowered(publisher.part)))
            return publisher.framework;
    return {};
}

std::string monthOf(const std::string& source, const std::string& framework)
{
    if (std::string month = monthIn(source); !month.empty())
        return month;
    if (framework == "torchtitan") {
        const std::int64_t number
            = std::max(numberAfter(source, "/pull/"), numberAfter(source, "/issues/"));
        std::string month;
        for (const Numbered& each : kTitanNumbers)
            if (number >= each.from)
                month = each.month;
        return month;
    }
    // The single-GPU guide of transformers 4.2x was written for torch 1.10.
    return contains(source, "v4.2") ? "2022-06" : "";
}

std::int64_t eraOf(const std::string& framework, const std::string& month)
{
    std::int64_t number = -1;
    std::int64_t found = 0;
    for (const TorchPreset& preset : torchPresets()) {
        if (framework != preset.framework)
            continue;
        ++number;
        if (month.empty() || month >= preset.era || number == 0)
            found = number;
    }
    return found;
}

} // namespace shardrack
