// SPDX-License-Identifier: GPL-3.0-or-later
// A library for cards whose card is the shim's: programs that load it find a card made of the processor. What
// is wrong with it, the environment says: VITRINE_SHIM_REFUSAL (a number of CardProblem), VITRINE_SHIM_MIB
// (its memory), VITRINE_SHIM_FAIL_AFTER (kernels until it is lost).
#include "kernels/cuda/host/host_device.h"
#include "kernels/cuda/library.h"

#include <cstdlib>
#include <optional>

using namespace vitrine::kernels::cuda;

namespace {

std::optional<int> numberFrom(const char* name)
{
    const char* text = std::getenv(name);
    return text != nullptr ? std::optional(std::atoi(text)) : std::nullopt;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const char* vitrineCudaAbi()
{
    return VITRINE_CUDA_ABI;
}

extern "C" __attribute__((visibility("default"))) Device* vitrineOpenCudaDevice(CardProblem* reason,
                                                                                std::string* detail)
{
    if (const auto refusal = numberFrom("VITRINE_SHIM_REFUSAL")) {
        *reason = static_cast<CardProblem>(*refusal);
        *detail = "as the test asked for";
        return nullptr;
    }
    const auto mib = static_cast<std::size_t>(numberFrom("VITRINE_SHIM_MIB").value_or(1024));
    auto* card = new HostDevice(32, mib << 20);
    if (const auto kernels = numberFrom("VITRINE_SHIM_FAIL_AFTER"))
        card->failAfter(*kernels);
    return card;
}
