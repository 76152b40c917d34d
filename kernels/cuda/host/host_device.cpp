// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/host_device.h"

#include "kernels/cuda/host/cuda_host.h"
#include "kernels/half.h"

#include <cassert>
#include <cstring>
#include <new>

namespace vitrine::kernels::cuda {
namespace {

constexpr std::align_val_t kAlignment{64};

float elementAt(const void* data, DenseType type, std::size_t index)
{
    if (type == DenseType::F32)
        return static_cast<const float*>(data)[index];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[index];
    return type == DenseType::F16 ? halfToFloat(bits) : bfloatToFloat(bits);
}

double dot(const DenseProduct& p, std::size_t row, std::size_t input)
{
    const auto columns = static_cast<std::size_t>(p.columns);
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c)
        sum += double{elementAt(p.weights, p.type, row * columns + c)} *
               elementAt(p.in, p.type, input * columns + c);
    return sum;
}

void multiplyNow(const DenseProduct& product)
{
    for (std::size_t t = 0; t < static_cast<std::size_t>(product.inputs); ++t)
        for (std::size_t r = 0; r < static_cast<std::size_t>(product.rows); ++r) {
            float& out = product.out[t * static_cast<std::size_t>(product.outStride) + r];
            out = static_cast<float>(product.scale * dot(product, r, t) + (product.add ? double{out} : 0.0));
        }
}

} // namespace

struct HostDevice::Record : Recording {
    cuda_host::Record operations;
};

HostDevice::HostDevice(int threads, std::size_t memoryBytes)
    : m_info{"host", 8, 0, 1, memoryBytes}
    , m_threads(threads)
{
}

HostDevice::~HostDevice()
{
    for (const auto& [memory, bytes] : m_pieces)
        ::operator delete(memory, kAlignment);
}

void* HostDevice::allocate(std::size_t bytes)
{
    assert(!isRecording());
    ++m_counts.waits;
    if (!m_failure.empty() || bytes > freeBytes())
        return nullptr;
    void* memory = ::operator new(bytes, kAlignment, std::nothrow);
    if (memory == nullptr)
        return nullptr;
    std::memset(memory, 0xff, bytes);
    m_pieces.emplace(memory, bytes);
    m_usedBytes += bytes;
    return memory;
}

void HostDevice::release(void* memory)
{
    assert(!isRecording());
    ++m_counts.waits;
    const auto piece = m_pieces.extract(memory);
    if (piece.empty())
        return;
    m_usedBytes -= piece.mapped();
    ::operator delete(memory, kAlignment);
}

void HostDevice::upload(void* to, const void* from, std::size_t bytes)
{
    assert(!isRecording());
    copy(to, from, bytes);
}

void HostDevice::download(void* to, const void* from, std::size_t bytes)
{
    assert(!isRecording());
    ++m_counts.waits;
    copy(to, from, bytes);
}

template<class Operation>
void HostDevice::perform(Operation&& operation)
{
    const auto always = [=] {
        operation();
        return true;
    };
    if (isRecording())
        m_record->operations.push_back(always);
    else if (m_failure.empty())
        always();
}

void HostDevice::copy(void* to, const void* from, std::size_t bytes)
{
    perform([=] {
        if (bytes > 0)
            std::memcpy(to, from, bytes);
    });
}

void HostDevice::fill(void* to, std::uint8_t byte, std::size_t bytes)
{
    perform([=] { std::memset(to, byte, bytes); });
}

void HostDevice::multiply(const DenseProduct& product)
{
    perform([=] { multiplyNow(product); });
}

bool HostDevice::beginRecording()
{
    assert(!isRecording());
    if (!m_records || !m_failure.empty())
        return false;
    ++m_counts.recordings;
    m_record = std::make_unique<Record>();
    cuda_host::currentRecord() = &m_record->operations;
    return true;
}

std::unique_ptr<Recording> HostDevice::endRecording()
{
    cuda_host::currentRecord() = nullptr;
    if (!m_keepsRecordings)
        m_record.reset();
    return std::move(m_record);
}

void HostDevice::replay(const Recording& recording)
{
    ++m_counts.replays;
    for (const auto& operation : static_cast<const Record&>(recording).operations)
        if (m_failure.empty())
            check(operation() ? 0 : cudaErrorLaunchFailure);
}

void HostDevice::check(Status status)
{
    if (!m_failure.empty())
        return;
    if (status != 0)
        m_failure = cuda_host::lastFailure();
    else if (m_kernelsToFailure >= 0 && m_kernelsToFailure-- == 0)
        m_failure = "the device is lost";
}

} // namespace vitrine::kernels::cuda
