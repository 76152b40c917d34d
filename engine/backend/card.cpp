// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/card.h"

#include "engine/backend/cuda/cuda_factory.h"
#include "kernels/cuda/open_card.h"

namespace vitrine {

tl::expected<std::unique_ptr<Backend>, BackendNote> openCard()
{
    BackendNote note;
    if (std::unique_ptr<kernels::cuda::Device> device = kernels::cuda::openCard(note.problem, note.detail))
        return makeCudaBackend(std::move(device));
    return tl::unexpected(std::move(note));
}

tl::unexpected<Error> noCard(const BackendNote& note)
{
    return fail("no graphics card can be used: " + textOf(note), "--backend cuda", adviceFor(note.problem));
}

} // namespace vitrine
