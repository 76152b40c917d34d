// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/pass_recordings.h"

#include <utility>

namespace vitrine {
namespace {

/// Shapes that are remembered: some for each number of chats that answer at once.
constexpr std::size_t kMaxShapes = 256;

} // namespace

PassRecordings::PassRecordings(kernels::cuda::Device& device)
    : m_device(device)
{
}

bool PassRecordings::replay(const PassShape& shape)
{
    if (m_entries.size() >= kMaxShapes && !m_entries.contains(shape))
        clear();
    Entry& entry = m_entries[shape];
    if (entry.recording) {
        m_device.replay(*entry.recording);
        return true;
    }
    if (entry.cameOnce && m_arePossible && m_device.beginRecording())
        m_underWay = &entry;
    entry.cameOnce = true;
    return false;
}

bool PassRecordings::end()
{
    if (m_underWay == nullptr)
        return true;
    Entry& entry = *std::exchange(m_underWay, nullptr);
    entry.recording = m_device.endRecording();
    if (entry.recording)
        m_device.replay(*entry.recording);
    else
        m_arePossible = false; // there may be no memory for them
    return entry.recording != nullptr || !m_device.failure().empty();
}

void PassRecordings::clear()
{
    m_entries.clear();
}

} // namespace vitrine
