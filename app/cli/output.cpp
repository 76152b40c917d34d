// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include "engine/utf8.h"

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

/// Nothing that is read whole (a prompt, a text, messages, a template) is sensibly larger: some sixteen
/// million tokens.
constexpr std::size_t kMostMib = 64;
constexpr std::size_t kMostFileBytes = kMostMib << 20;

Result<void> write(std::string_view text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        return fail(std::string("cannot write: ") + std::strerror(errno), "standard output");
    return {};
}

tl::unexpected<Error> tooLarge(const std::string& path)
{
    return fail("is larger than " + std::to_string(kMostMib) + " MiB", path, "name a shorter text");
}

} // namespace

Result<void> printText(std::string_view text)
{
    static const bool isTerminal = isatty(STDOUT_FILENO) != 0;
    return isTerminal ? write(printable(text, kWholeText, "\n\t")) : write(text);
}

Result<void> printJson(const nlohmann::json& json)
{
    return printText(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Result<std::string> readText(const std::string& path)
{
    std::error_code code;
    if (std::filesystem::is_directory(path, code))
        return fail("is a directory", path, "name a file");
    const std::uintmax_t size =
        std::filesystem::file_size(path, code); // an error for what has none, as a pipe
    if (!code && size > kMostFileBytes)
        return tooLarge(path);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return fail(std::string("cannot be opened: ") + std::strerror(errno), path);
    std::string text;
    char chunk[65536];
    while (file.read(chunk, sizeof chunk) || file.gcount() > 0) {
        const auto got = static_cast<std::size_t>(file.gcount());
        if (got > kMostFileBytes - text.size())
            return tooLarge(path);
        text.append(chunk, got);
    }
    if (file.bad())
        return fail("cannot be read", path);
    if (const std::optional<std::size_t> byte = firstInvalidByte(text))
        return fail("is no text in UTF-8: byte " + std::to_string(*byte + 1) + " belongs to no character",
                    path, "convert it");
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

void showWarning(const std::string& warning)
{
    std::fprintf(stderr, "vitrine-cli: warning: %s\n", printable(warning, kWholeText).c_str());
}

void showBackendNote(const std::optional<BackendNote>& note, bool namesBackend, std::string_view where)
{
    if (note && (namesBackend || isUnexpected(note->problem)))
        showWarning(std::string(where) + ": " + textOf(*note));
}

void showError(const Error& error)
{
    std::fprintf(stderr, "vitrine-cli: %s\n", error.line().c_str());
}

void showStatus(const std::string& status)
{
    if (isatty(STDERR_FILENO))
        std::fprintf(stderr, "\r%s\033[K", status.c_str());
}

void showAside(std::string_view text)
{
    if (isatty(STDERR_FILENO))
        std::fputs(printable(text, kWholeText, "\n\t").c_str(), stderr);
}

bool showLoadProgress(double fraction, LoadStage stage)
{
    const char* words = stage == LoadStage::ReadingFile ? "reading the file" : "preparing weights";
    showStatus(fraction < 1 ? std::to_string(std::lround(fraction * 100)) + " %  " + words : std::string());
    return true;
}

} // namespace vitrine::cli
