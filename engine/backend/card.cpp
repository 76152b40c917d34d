// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/card.h"

namespace vitrine {

tl::expected<std::unique_ptr<Backend>, BackendNote> openCard()
{
    return tl::unexpected(BackendNote{CardProblem::NoLibrary, {}});
}

} // namespace vitrine
