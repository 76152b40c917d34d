// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/prompt_text.h"

#include "engine/utf8.h"

namespace vitrine {
namespace {

/// How far the text is looked through for the next token where one has no bytes of its own in it: a run of
/// white space, or a few characters that are unknown.
constexpr std::size_t kMostSkipped = 256;

/// Bytes of `rest` that the token stands for; npos where it does not begin with them.
std::size_t lengthAt(std::string_view rest, std::string_view bytes)
{
    if (rest.starts_with(bytes))
        return bytes.size();
    if (bytes.starts_with(' ') && rest.starts_with(bytes.substr(1)))
        return bytes.size() - 1; // the space was put before the text
    return std::string_view::npos;
}

/// Bytes to skip until the token comes; npos where it does not.
std::size_t distanceTo(std::string_view rest, std::string_view bytes)
{
    const std::string_view seen = rest.substr(0, kMostSkipped + bytes.size());
    return bytes.empty() ? std::string_view::npos : seen.find(bytes);
}

} // namespace

std::vector<std::uint32_t> tokenEnds(std::string_view text, std::span<const TokenId> tokens,
                                     const Vocabulary& vocabulary)
{
    std::vector<std::uint32_t> ends;
    ends.reserve(tokens.size());
    std::size_t at = 0;
    for (const TokenId token : tokens) {
        const std::string_view bytes =
            token == vocabulary.unknown() ? std::string_view() : vocabulary.bytes(token);
        std::size_t length = lengthAt(text.substr(at), bytes);
        if (length == std::string_view::npos) {
            const std::size_t skipped = distanceTo(text.substr(at), bytes);
            const bool isAdded = ends.empty() && token == vocabulary.bos();
            if (skipped != std::string_view::npos && !isAdded) {
                at += skipped;
                if (!ends.empty())
                    ends.back() = std::uint32_t(at);
                length = bytes.size();
            } else {
                length = 0;
            }
        }
        at += length;
        ends.push_back(std::uint32_t(at));
    }
    if (!ends.empty())
        ends.back() = std::uint32_t(text.size());
    return ends;
}

std::string shownTokens(std::span<const TokenId> tokens, const Vocabulary& vocabulary, std::size_t maxBytes)
{
    std::string bytes;
    for (const TokenId token : tokens) {
        if (vocabulary.contains(token))
            bytes += vocabulary.bytes(token);
        if (bytes.size() > maxBytes)
            break;
    }
    return printable(bytes, maxBytes, "\n\t");
}

} // namespace vitrine
