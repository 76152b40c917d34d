// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vitrine::test {

/// How long is waited for what another thread, another program or the disk has to do. Where all is well it
/// has been done long before, also on a machine that is slow and busy; only what never comes is waited for so
/// long.
inline constexpr int kPatienceMillis = 60'000;

} // namespace vitrine::test
