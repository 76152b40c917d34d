// SPDX-License-Identifier: GPL-3.0-or-later
// The tests of the kernels on a real card: those of the library that is loaded at run time.
#include "kernels/cuda/open_card.h"
#include "tests/kernels/cuda/device_buffer.h"

namespace vitrine::kernels::cuda {

Device* testDevice(std::string& why)
{
    static std::string missing;
    static CardProblem reason{};
    static const std::unique_ptr<Device> device = openCard(reason, missing);
    why = "no graphics card (reason " + std::to_string(static_cast<int>(reason)) + "): " + missing;
    return device.get();
}

std::unique_ptr<Device> openTestDeviceAgain()
{
    std::string detail;
    CardProblem reason{};
    return openCard(reason, detail);
}

#define VITRINE_FORWARD(name, Problem)                                                                       \
    Status name(const Launch& launch, const Problem& problem)                                                \
    {                                                                                                        \
        return testDevice().kernels().name(launch, problem);                                                 \
    }

VITRINE_FORWARD(rmsNorm, RmsNorm)
VITRINE_FORWARD(addToResidual, AddToResidual)
VITRINE_FORWARD(addBias, AddBias)
VITRINE_FORWARD(applyGate, Gate)
VITRINE_FORWARD(scaleAndCap, ScaleAndCap)
VITRINE_FORWARD(ropeAngles, RopeAngles)
VITRINE_FORWARD(finishQkv, FinishQkv)
VITRINE_FORWARD(matVec, MatVec)
VITRINE_FORWARD(chosenMatVec, ChosenMatVec)
VITRINE_FORWARD(dequantize, Dequantize)
VITRINE_FORWARD(narrow, Narrow)
VITRINE_FORWARD(embed, Embed)
VITRINE_FORWARD(chooseExperts, ChooseExperts)
VITRINE_FORWARD(sumExperts, SumExperts)
VITRINE_FORWARD(topK, TopK)
VITRINE_FORWARD(attention, Attention)

} // namespace vitrine::kernels::cuda
