// SPDX-License-Identifier: GPL-3.0-or-later
// Step records and snapshots as bytes: a twentieth of what they take in memory, and the blobs of a recording
// file (docs/recording.md has the layout). What is decoded is what was encoded, bit by bit; pasts that were
// empty are all "not known". Bytes from a file may be anything: nothing is taken from them beyond the limits
// below, and what no engine can have recorded is refused.
#pragma once
#include "engine/error.h"
#include "engine/trace/byte_codec.h"
#include "engine/trace/step_record.h"

#include <cstdint>
#include <span>

namespace vitrine {

/// Of one pool; 64 million slots of 16.
inline constexpr std::int32_t kMaxRecordedBlocks = 4 * 1024 * 1024;
inline constexpr std::int32_t kMaxRecordedBlockSize = 65'535;
inline constexpr std::uint64_t kMaxRecordedStep = std::uint64_t{1} << 53;
/// On the engine's clock: a year.
inline constexpr double kMaxRecordedSeconds = 366.0 * 24 * 3600;

/// Appends the record. `previousStep`: of the record before it, or of the snapshot; less than record.step.
/// The generation is the snapshot's.
void encode(const StepRecord& record, std::uint64_t previousStep, Bytes& out);
/// The next record of `reader`. Its blocks and slots are not compared with any pool: that is for whoever
/// applies it.
[[nodiscard]] Result<StepRecord> decodeRecord(ByteReader& reader, std::uint64_t previousStep,
                                              std::uint32_t generation);

[[nodiscard]] Bytes encode(const PoolSnapshot& snapshot);
/// All of `bytes`. Every block id lies in the pool.
[[nodiscard]] Result<PoolSnapshot> decodeSnapshot(std::span<const std::uint8_t> bytes);

} // namespace vitrine
