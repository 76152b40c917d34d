// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/gpu/cuda_device.h"

#include "kernels/cuda/gpu/context_use.h"
#include "kernels/cuda/gpu/cublas.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <cuda_runtime.h>
#include <utility>

namespace vitrine::kernels::cuda {
namespace {

/// Turing: the oldest that CUDA 13 builds for.
constexpr int kOldestMajor = 7;
constexpr int kOldestMinor = 5;
/// Of a block: enough warps to hide the latency of memory, few enough that small matrices reach every
/// multiprocessor.
constexpr int kThreads = 128;
/// A part of a copy: while one is on its way the next is put together.
constexpr std::size_t kStagingBytes = std::size_t{8} << 20;

std::string textOf(cudaError_t error)
{
    return std::string(cudaGetErrorName(error)) + ", " + cudaGetErrorString(error);
}

std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Whether nothing that is on the card can be used any more: each later call brings the same error.
bool breaksContext(cudaError_t error)
{
    switch (error) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorMpsClientTerminated:
    case cudaErrorUnknown:
        return true;
    default: // too little memory, a recording under way
        return false;
    }
}

ContextUsers& contextUsers()
{
    static ContextUsers users([] { cudaDeviceReset(); });
    return users;
}

/// Memory that the card reads by itself, and when it last did.
struct Staging {
    std::byte* memory = nullptr;
    cudaEvent_t done = nullptr;
};

class CudaRecording : public Recording {
public:
    explicit CudaRecording(cudaGraphExec_t graph)
        : m_graph(graph)
    {
    }
    ~CudaRecording() override { cudaGraphExecDestroy(m_graph); }
    CudaRecording(const CudaRecording&) = delete;
    CudaRecording& operator=(const CudaRecording&) = delete;
    [[nodiscard]] cudaGraphExec_t graph() const { return m_graph; }

private:
    cudaGraphExec_t m_graph;
};

class CudaDevice : public Device {
public:
    explicit CudaDevice(const cudaDeviceProp& properties);
    ~CudaDevice() override;
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;
    /// False: failure() says why, or `missing`, where it is cuBLAS.
    [[nodiscard]] bool prepare(std::string& missing);

    [[nodiscard]] const DeviceInfo& info() const override { return m_info; }
    [[nodiscard]] std::size_t freeBytes() override;
    [[nodiscard]] const KernelTable& kernels() const override { return kernelTable(); }
    [[nodiscard]] Launch launch() const override { return {m_compute, kThreads}; }
    [[nodiscard]] void* allocate(std::size_t bytes) override;
    void release(void* memory) override;
    void upload(void* to, const void* from, std::size_t bytes) override { stage(to, from, bytes, m_compute); }
    void uploadBulk(void* to, const void* from, std::size_t bytes) override
    {
        stage(to, from, bytes, m_copies);
    }
    void finishUploads() override;
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
    [[nodiscard]] bool isLost() const { return !m_failure.empty(); }
    void tryKernel();
    void note(std::string failure);
    void stage(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

    ContextUse m_context{contextUsers()}; ///< the first member: all others go before it
    DeviceInfo m_info;
    cudaStream_t m_compute = nullptr;
    cudaStream_t m_copies = nullptr;
    std::array<Staging, 2> m_staging;
    std::size_t m_nextStaging = 0;
    std::unique_ptr<Cublas> m_cublas;
    bool m_isRecording = false;
    bool m_recordingFailed = false;
    std::string m_failure;
};

CudaDevice::CudaDevice(const cudaDeviceProp& properties)
    : m_info{properties.name, properties.major, properties.minor, properties.multiProcessorCount,
             properties.totalGlobalMem}
{
}

bool CudaDevice::prepare(std::string& missing)
{
    check(cudaStreamCreateWithFlags(&m_compute, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&m_copies, cudaStreamNonBlocking));
    for (Staging& staging : m_staging) {
        void* memory = nullptr;
        check(cudaMallocHost(&memory, kStagingBytes));
        staging.memory = static_cast<std::byte*>(memory);
        check(cudaEventCreateWithFlags(&staging.done, cudaEventDisableTiming));
    }
    tryKernel();
    if (!isLost())
        m_cublas = Cublas::load(missing);
    if (m_cublas != nullptr)
        note(m_cublas->start(m_compute));
    return m_cublas != nullptr && !isLost();
}

/// A library that was built for other cards would fail in the first answer only.
void CudaDevice::tryKernel()
{
    constexpr std::size_t kCount = 32;
    void* const memory = allocate(kCount * sizeof(float));
    if (memory == nullptr)
        return note("there is no memory on it");
    check(kernels().scaleAndCap(launch(), {static_cast<float*>(memory), kCount}));
    check(cudaStreamSynchronize(m_compute));
    release(memory);
}

/// Its own streams alone are waited for: another device of this process may be recording, which bears no wait
/// for the whole card.
CudaDevice::~CudaDevice()
{
    for (cudaStream_t stream : {m_copies, m_compute})
        if (breaksContext(cudaStreamSynchronize(stream)))
            m_context.setBroken();
    m_cublas.reset();
    for (const Staging& staging : m_staging) {
        cudaFreeHost(staging.memory);
        if (staging.done != nullptr)
            cudaEventDestroy(staging.done);
    }
    for (cudaStream_t stream : {m_copies, m_compute})
        if (stream != nullptr)
            cudaStreamDestroy(stream);
}

std::size_t CudaDevice::freeBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    if (!isLost())
        check(cudaMemGetInfo(&free, &total));
    return isLost() ? 0 : free;
}

void* CudaDevice::allocate(std::size_t bytes)
{
    void* memory = nullptr;
    if (isLost())
        return nullptr;
    if (const cudaError_t error = cudaMalloc(&memory, bytes); error != cudaSuccess) {
        if (error != cudaErrorMemoryAllocation) // too little memory is the caller's matter, not a failure
            check(error);
        (void)cudaGetLastError();
        return nullptr;
    }
    fill(memory, 0xff, bytes);
    check(cudaStreamSynchronize(m_compute)); // the copies' stream may write it next
    return memory;
}

void CudaDevice::release(void* memory)
{
    cudaStreamSynchronize(m_copies); // a load that is broken off has some under way
    cudaStreamSynchronize(m_compute);
    cudaFree(memory);
}

void CudaDevice::stage(void* to, const void* from, std::size_t bytes, cudaStream_t stream)
{
    for (std::size_t at = 0; at < bytes && !isLost(); at += kStagingBytes) {
        Staging& staging = m_staging[std::exchange(m_nextStaging, m_nextStaging ^ 1)];
        const std::size_t part = std::min(bytes - at, kStagingBytes);
        check(cudaEventSynchronize(staging.done)); // the copy before last has read it
        std::memcpy(staging.memory, static_cast<const std::byte*>(from) + at, part);
        check(cudaMemcpyAsync(static_cast<std::byte*>(to) + at, staging.memory, part, cudaMemcpyHostToDevice,
                              stream));
        check(cudaEventRecord(staging.done, stream));
    }
}

void CudaDevice::finishUploads()
{
    if (!isLost())
        check(cudaStreamSynchronize(m_copies));
}

void CudaDevice::download(void* to, const void* from, std::size_t bytes)
{
    if (isLost())
        return;
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, m_compute));
    check(cudaStreamSynchronize(m_compute));
}

void CudaDevice::copy(void* to, const void* from, std::size_t bytes)
{
    if (!isLost())
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, m_compute));
}

void CudaDevice::fill(void* to, std::uint8_t byte, std::size_t bytes)
{
    if (!isLost())
        check(cudaMemsetAsync(to, byte, bytes, m_compute));
}

void CudaDevice::multiply(const DenseProduct& product)
{
    if (!isLost())
        note(m_cublas->multiply(product));
}

bool CudaDevice::beginRecording()
{
    if (isLost())
        return false;
    m_recordingFailed = false;
    m_isRecording = cudaStreamBeginCapture(m_compute, cudaStreamCaptureModeThreadLocal) == cudaSuccess;
    (void)cudaGetLastError(); // a card that is lost says so again
    return m_isRecording;
}

/// What it needs it has afterwards: replaying takes no memory.
std::unique_ptr<Recording> CudaDevice::endRecording()
{
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t ready = nullptr;
    cudaError_t error = cudaStreamEndCapture(m_compute, &graph); // whatever came, or the capture never ends
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&ready, graph, 0);
    auto recording = error == cudaSuccess ? std::make_unique<CudaRecording>(ready) : nullptr;
    if (error == cudaSuccess)
        error = cudaGraphUpload(ready, m_compute);
    if (graph != nullptr)
        cudaGraphDestroy(graph);
    (void)cudaGetLastError();
    m_isRecording = false;
    return error == cudaSuccess && !m_recordingFailed ? std::move(recording) : nullptr;
}

void CudaDevice::replay(const Recording& recording)
{
    if (!isLost())
        check(cudaGraphLaunch(static_cast<const CudaRecording&>(recording).graph(), m_compute));
}

void CudaDevice::check(Status status)
{
    if (status != cudaSuccess)
        note(textOf(static_cast<cudaError_t>(status)));
}

/// Empty: none. What cannot be recorded may still be done.
void CudaDevice::note(std::string failure)
{
    if (failure.empty() || isLost())
        return;
    if (m_isRecording)
        m_recordingFailed = true;
    else
        m_failure = std::move(failure);
}

/// How many cards there are, or why none can be asked for.
int countDevices(CardProblem& reason, std::string& detail)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        return count;
    int version = 0;
    (void)cudaDriverGetVersion(&version);
    if (error == cudaErrorInsufficientDriver || (error != cudaErrorNoDevice && version == 0)) {
        reason = CardProblem::NoDriver;
        detail = version == 0 ? std::string("none is installed")
                              : "it is for CUDA " + versionText(version) + ", " +
                                    versionText(CUDART_VERSION) + " is needed";
        return 0;
    }
    const bool isMissing = error == cudaSuccess || error == cudaErrorNoDevice;
    reason = isMissing ? CardProblem::NoDevice : CardProblem::Failed;
    detail = isMissing ? std::string() : textOf(error);
    return 0;
}

bool isTooOld(const cudaDeviceProp& properties)
{
    return std::pair(properties.major, properties.minor) < std::pair(kOldestMajor, kOldestMinor);
}

} // namespace

std::unique_ptr<Device> openCudaDevice(CardProblem& reason, std::string& detail)
{
    if (countDevices(reason, detail) == 0)
        return nullptr;
    const ContextUse context(contextUsers()); // until the device has its own
    cudaDeviceProp properties{};
    reason = CardProblem::Failed;
    for (const cudaError_t error : {cudaSetDevice(0), cudaGetDeviceProperties(&properties, 0)})
        if (error != cudaSuccess) {
            detail = textOf(error);
            return nullptr;
        }
    if (isTooOld(properties)) {
        reason = CardProblem::TooOld;
        detail = std::string(properties.name) + " has compute capability " +
                 std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                 ", 7.5 is needed";
        return nullptr;
    }
    auto device = std::make_unique<CudaDevice>(properties);
    std::string missing;
    if (device->prepare(missing))
        return device;
    reason = missing.empty() ? CardProblem::Failed : CardProblem::NoCublas;
    detail = missing.empty() ? device->failure() : missing;
    return nullptr;
}

} // namespace vitrine::kernels::cuda
