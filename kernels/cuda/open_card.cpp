// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cuda/open_card.h"

#include "kernels/cuda/library_file.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace vitrine::kernels::cuda {
namespace {

constexpr const char* kLibraryName = "libvitrine_cuda.so";

/// Empty: there is none.
std::filesystem::path findLibrary()
{
    if (const char* named = std::getenv("VITRINE_CUDA_LIBRARY"))
        return named;
    std::error_code unreadable;
    const std::filesystem::path folder =
        std::filesystem::read_symlink("/proc/self/exe", unreadable).parent_path();
    for (const std::filesystem::path& place : {folder, folder.parent_path() / "lib" / "vitrine"})
        if (std::filesystem::exists(place / kLibraryName, unreadable))
            return place / kLibraryName;
    return {};
}

/// Never closed: CUDA's runtime does not bear that.
void* loadLibrary(const std::filesystem::path& path, std::string& why)
{
    if (const std::string fault = faultOf(path); !fault.empty()) {
        why = path.string() + ' ' + fault;
        return nullptr;
    }
    std::error_code unreadable; // the folder that a relative one begins in
    const std::filesystem::path whole = std::filesystem::absolute(path, unreadable);
    void* const library = unreadable ? nullptr : dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
        why = unreadable ? path.string() + ": " + unreadable.message() : dlerror();
    return library;
}

bool isOfThisBuild(void* library)
{
    const auto abi = reinterpret_cast<AbiName>(dlsym(library, kAbiName));
    return abi != nullptr && std::strcmp(abi(), VITRINE_CUDA_ABI) == 0;
}

} // namespace

std::unique_ptr<Device> openCard(CardProblem& reason, std::string& detail)
{
    const std::filesystem::path path = findLibrary();
    reason = path.empty() ? CardProblem::NoLibrary : CardProblem::BadLibrary;
    void* const library = path.empty() ? nullptr : loadLibrary(path, detail);
    if (library == nullptr)
        return nullptr;
    const auto open = reinterpret_cast<OpenDevice>(dlsym(library, kOpenDeviceName));
    if (open == nullptr || !isOfThisBuild(library)) {
        detail = path.string() + " is of another build";
        return nullptr;
    }
    return std::unique_ptr<Device>(open(&reason, &detail));
}

} // namespace vitrine::kernels::cuda
