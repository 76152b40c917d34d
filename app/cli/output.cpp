// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vitrine::cli {
namespace {

/// Nothing that is read whole (a text, messages, a template) is sensibly larger.
constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{256} << 20;

} // namespace

Result<void> printText(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        return fail(std::string("cannot write: ") + std::strerror(errno), "standard output");
    return {};
}

Result<void> printJson(const nlohmann::json& json)
{
    return printText(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Result<std::string> readFile(const std::string& path)
{
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
        return fail("is a directory", path, "name a file");
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    if (!code && size > kMostFileBytes)
        return fail("is larger than 256 MiB", path, "split it");
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(std::string("cannot be opened: ") + std::strerror(errno), path);
    std::string text;
    char chunk[65536];
    while (file.read(chunk, sizeof chunk) || file.gcount() > 0) {
        text.append(chunk, static_cast<std::size_t>(file.gcount()));
        if (text.size() > kMostFileBytes)
            return fail("is larger than 256 MiB", path, "split it");
    }
    if (file.bad())
        return fail("cannot be read", path);
    return text;
}

Result<std::vector<TokenId>> parseIds(const std::string& text)
{
    std::vector<TokenId> ids;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto skipSpaces = [&] {
        while (at != end && *at == ' ')
            ++at;
    };
    while (at != end) {
        skipSpaces();
        TokenId id = 0;
        const auto [after, error] = std::from_chars(at, end, id);
        if (error != std::errc{})
            return fail("expected a token id at character " + std::to_string(at - text.data() + 1), "--ids",
                        "write numbers with commas between them");
        ids.push_back(id);
        at = after;
        skipSpaces();
        if (at != end && *at++ != ',')
            return fail("expected a comma at character " + std::to_string(at - text.data()), "--ids",
                        "write numbers with commas between them");
    }
    if (ids.empty())
        return fail("no token id", "--ids", "write numbers with commas between them");
    return ids;
}

void showStatus(const std::string& status)
{
    if (isatty(STDERR_FILENO))
        std::fprintf(stderr, "\r%s\033[K", status.c_str());
}

bool showLoadProgress(double fraction, LoadStage stage)
{
    const char* words = stage == LoadStage::ReadingFile ? "reading the file" : "preparing weights";
    showStatus(fraction < 1 ? std::to_string(std::lround(fraction * 100)) + " %  " + words : std::string());
    return true;
}

} // namespace vitrine::cli
