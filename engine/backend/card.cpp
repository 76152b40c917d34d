// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/card.h"

#include "engine/backend/cuda/cuda_factory.h"
#include "kernels/cuda/open_card.h"

namespace vitrine {
namespace {

using kernels::cuda::CardRefusal;

CardProblem problemOf(CardRefusal reason)
{
    switch (reason) {
    case CardRefusal::NoLibrary:
        return CardProblem::NoLibrary;
    case CardRefusal::NoDriver:
        return CardProblem::NoDriver;
    case CardRefusal::NoDevice:
        return CardProblem::NoDevice;
    case CardRefusal::TooOld:
        return CardProblem::TooOld;
    case CardRefusal::NoCublas:
        return CardProblem::NoCublas;
    case CardRefusal::Failed:
        break;
    }
    return CardProblem::Failed;
}

} // namespace

tl::expected<std::unique_ptr<Backend>, BackendNote> openCard()
{
    CardRefusal reason{};
    std::string detail;
    if (std::unique_ptr<kernels::cuda::Device> device = kernels::cuda::openCard(reason, detail))
        return makeCudaBackend(std::move(device));
    return tl::unexpected(BackendNote{problemOf(reason), detail});
}

} // namespace vitrine
