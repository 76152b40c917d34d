// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "kernels/cuda/device.h"

#include <map>
#include <memory>

namespace vitrine::kernels::cuda {

/// A card made of the processor: kernels run on the shim, dense products are plain loops in double. Each
/// piece of memory is allocated to size, so that the address sanitizer sees a kernel step outside it.
class HostDevice : public Device {
public:
    /// `threads` of a kernel's block, `memoryBytes` to be given out.
    explicit HostDevice(int threads = 32, std::size_t memoryBytes = std::size_t{1} << 30);
    ~HostDevice() override;

    /// As if the card were lost with the n-th kernel from now.
    void failAfter(int kernels) { m_kernelsToFailure = kernels; }
    /// Whether work can be put down and replayed, as at first.
    void setRecords(bool records) { m_records = records; }
    /// Whether what is put down can be replayed, as at first; a card may lack the memory.
    void setKeepsRecordings(bool keeps) { m_keepsRecordings = keeps; }
    /// As a card of that compute capability.
    void setMajor(int major) { m_info.major = major; }
    /// As a card of so many, for what is shared out among them.
    void setMultiprocessors(int count) { m_info.multiprocessors = count; }
    /// Bytes that are given out and not yet released.
    [[nodiscard]] std::size_t usedBytes() const { return m_usedBytes; }
    /// What was asked for so far. Waits: downloads, and memory given out or taken back.
    struct Counts {
        int waits = 0;
        int recordings = 0;
        int replays = 0;
    };
    [[nodiscard]] const Counts& counts() const { return m_counts; }

    [[nodiscard]] const DeviceInfo& info() const override { return m_info; }
    [[nodiscard]] std::size_t freeBytes() override
    {
        return m_failure.empty() ? m_info.totalBytes - m_usedBytes : 0;
    }
    [[nodiscard]] const KernelTable& kernels() const override { return kernelTable(); }
    [[nodiscard]] Launch launch() const override { return {nullptr, m_threads}; }
    [[nodiscard]] void* allocate(std::size_t bytes) override;
    void release(void* memory) override;
    void upload(void* to, const void* from, std::size_t bytes) override;
    void uploadBulk(void* to, const void* from, std::size_t bytes) override { upload(to, from, bytes); }
    void finishUploads() override {}
    void download(void* to, const void* from, std::size_t bytes) override;
    void copy(void* to, const void* from, std::size_t bytes) override;
    void fill(void* to, std::uint8_t byte, std::size_t bytes) override;
    void multiply(const DenseProduct& product) override;
    [[nodiscard]] bool beginRecording() override;
    [[nodiscard]] std::unique_ptr<Recording> endRecording() override;
    void replay(const Recording& recording) override;
    void check(Status status) override;
    [[nodiscard]] const std::string& failure() const override { return m_failure; }

private:
    struct Record;

    [[nodiscard]] bool isRecording() const { return m_record != nullptr; }
    /// Does it now, or puts it down.
    template<class Operation>
    void perform(Operation&& operation);

    DeviceInfo m_info;
    int m_threads;
    std::size_t m_usedBytes = 0;
    std::map<void*, std::size_t> m_pieces;
    bool m_records = true;
    bool m_keepsRecordings = true;
    int m_kernelsToFailure = -1;
    Counts m_counts;
    std::unique_ptr<Record> m_record;
    std::string m_failure;
};

} // namespace vitrine::kernels::cuda
