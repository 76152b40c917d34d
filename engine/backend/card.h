// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/backend/backend.h"
#include "engine/backend_note.h"

#include <functional>
#include <memory>

namespace vitrine {

/// A backend on a graphics card, still without weights; or why there is none that can be used.
using OpenCardFn = std::function<tl::expected<std::unique_ptr<Backend>, BackendNote>()>;

/// The machine's first card.
[[nodiscard]] tl::expected<std::unique_ptr<Backend>, BackendNote> openCard();

/// For those who asked for it and no other.
[[nodiscard]] tl::unexpected<Error> noCard(const BackendNote& note);

} // namespace vitrine
