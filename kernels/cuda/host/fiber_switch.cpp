// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/host/fiber_switch.h"

#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

// Set by the build, because this file itself is compiled without TSan.
#if defined(VITRINE_CUDA_HOST_TSAN)
#include <sanitizer/tsan_interface.h>
// TSan takes the pooled fibers for threads still running and would wait a second for them.
extern "C" const char* __tsan_default_options()
{
    return "atexit_sleep_ms=0";
}
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__)
#error "fibers are written for x86-64"
#endif

namespace vitrine::cuda_host {
namespace {

constexpr std::size_t kStackBytes = std::size_t{128} * 1024;
constexpr std::size_t kGuardBytes = 4096;

void* mapStack()
{
    void* const base = mmap(nullptr, kStackBytes + kGuardBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        throw std::bad_alloc{};
    mprotect(base, kGuardBytes, PROT_NONE); // an overflow faults instead of corrupting a neighbour
    return static_cast<char*>(base) + kGuardBytes;
}

// The context being switched to and from, kept across the switch itself.
FiberContext* arriving = nullptr;
FiberContext* departing = nullptr;

} // namespace

// Saves the registers a callee must keep, swaps stacks and returns on the other one. The
// floating-point control words never differ between lanes, so they stay.
extern "C" void cudaHostSwapStack(void** saveTo, void* resumeFrom);
asm(R"(
.text
.type cudaHostSwapStack, @function
cudaHostSwapStack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size cudaHostSwapStack, .-cudaHostSwapStack
)");

static void finishSwitch()
{
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t size = 0;
    __sanitizer_finish_switch_fiber(arriving->asanFakeStack, &bottom, &size);
    if (departing->stack == nullptr) { // learn the host stack's bounds the first time we leave it
        departing->stack = const_cast<void*>(bottom);
        departing->stackBytes = size;
    }
#endif
}

// First code on a new stack. The entry address was left in the rbx slot.
extern "C" void cudaHostFiberMain(void (*entry)())
{
    finishSwitch();
    entry();
    std::abort(); // lanes never return from their entry
}
extern "C" void cudaHostFiberStart();
asm(R"(
.text
.type cudaHostFiberStart, @function
cudaHostFiberStart:
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    call cudaHostFiberMain
    ud2
    .cfi_endproc
.size cudaHostFiberStart, .-cudaHostFiberStart
)");

void adoptHostFiber([[maybe_unused]] FiberContext& host)
{
#if defined(VITRINE_CUDA_HOST_TSAN)
    host.tsanFiber = __tsan_get_current_fiber();
#endif
}

void createFiber(FiberContext& fiber, void (*entry)())
{
    fiber.stack = mapStack();
    fiber.stackBytes = kStackBytes;
    auto* top = reinterpret_cast<std::uintptr_t*>(static_cast<char*>(fiber.stack) + kStackBytes);
    // As cudaHostSwapStack leaves it: r15 r14 r13 r12 rbx rbp, then the return address. Two
    // spare words keep the stack aligned at the call in cudaHostFiberStart.
    top -= 2;
    *--top = reinterpret_cast<std::uintptr_t>(&cudaHostFiberStart);
    *--top = 0;                                       // rbp
    *--top = reinterpret_cast<std::uintptr_t>(entry); // rbx
    for (int i = 0; i < 4; ++i)
        *--top = 0;
    fiber.stackPointer = top;
#if defined(VITRINE_CUDA_HOST_TSAN)
    fiber.tsanFiber = __tsan_create_fiber(0);
#endif
}

void switchFiber(FiberContext& from, FiberContext& to)
{
    departing = &from;
    arriving = &to;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from.asanFakeStack, to.stack, to.stackBytes);
#endif
#if defined(VITRINE_CUDA_HOST_TSAN)
    __tsan_switch_to_fiber(to.tsanFiber, __tsan_switch_to_fiber_no_sync);
#endif
    cudaHostSwapStack(&from.stackPointer, to.stackPointer);
    finishSwitch();
}

#if defined(VITRINE_CUDA_HOST_TSAN)
void tsanRelease(void* handle)
{
    __tsan_release(handle);
}
void tsanAcquire(void* handle)
{
    __tsan_acquire(handle);
}
#else
void tsanRelease(void*) {}
void tsanAcquire(void*) {}
#endif

} // namespace vitrine::cuda_host
