// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests of the graphics card's kernels share: the card, its memory, and the widths to try.
#pragma once
#include "kernels/cuda/device.h"
#include "tests/kernels/check.h"

#include <memory>
#include <string>
#include <vector>

namespace vitrine::kernels::cuda {

/// The card that this test program is linked with: the shim's, or a real one. Null, and `why`: there is none.
[[nodiscard]] Device* testDevice(std::string& why);
/// The same card, opened once more.
[[nodiscard]] std::unique_ptr<Device> openTestDeviceAgain();

inline Device& testDevice()
{
    std::string why;
    return *testDevice(why);
}

/// Widths of a block: one warp, two, and the one that ships.
inline constexpr int kBlockWidths[] = {32, 64, 128};

inline Launch launchOf(int threads)
{
    Launch launch = testDevice().launch();
    launch.threads = threads;
    return launch;
}

/// An array in the card's memory, NaN at first; of nothing, null.
template<class T>
class DeviceBuffer {
public:
    explicit DeviceBuffer(std::size_t count)
        : m_count(count)
        , m_data(count > 0 ? testDevice().allocate(count * sizeof(T)) : nullptr)
    {
    }
    explicit DeviceBuffer(const std::vector<T>& values)
        : DeviceBuffer(values.size())
    {
        testDevice().upload(m_data, values.data(), values.size() * sizeof(T));
    }
    ~DeviceBuffer()
    {
        if (m_data != nullptr)
            testDevice().release(m_data);
    }
    Q_DISABLE_COPY_MOVE(DeviceBuffer)

    [[nodiscard]] T* get() const { return static_cast<T*>(m_data); }
    [[nodiscard]] std::vector<T> download() const
    {
        std::vector<T> values(m_count);
        if (m_count > 0)
            testDevice().download(values.data(), m_data, m_count * sizeof(T));
        return values;
    }

private:
    std::size_t m_count;
    void* m_data;
};

/// The kernel ran; what it wrote is in memory once download() returns.
#define VITRINE_RUN(status)                                                                                  \
    do {                                                                                                     \
        testDevice().check(status);                                                                          \
        QVERIFY2(testDevice().failure().empty(), testDevice().failure().c_str());                            \
    } while (false)

#define VITRINE_SKIP_WITHOUT_DEVICE()                                                                        \
    do {                                                                                                     \
        std::string why;                                                                                     \
        if (testDevice(why) == nullptr)                                                                      \
            QSKIP(why.c_str());                                                                              \
    } while (false)

} // namespace vitrine::kernels::cuda
