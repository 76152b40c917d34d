// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/pass_recordings.h"

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
    if (entry.cameOnce && m_device.beginRecording())
        m_underWay = &entry;
    entry.cameOnce = true;
    return false;
}

void PassRecordings::end()
{
    if (m_underWay == nullptr)
        return;
    m_underWay->recording = m_device.endRecording();
    if (m_underWay->recording)
        m_device.replay(*m_underWay->recording);
    m_underWay = nullptr;
}

void PassRecordings::clear()
{
    m_entries.clear();
}

} // namespace vitrine
