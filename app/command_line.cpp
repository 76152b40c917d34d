// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/choice.h"
#include "app/engine_flags.h"
#include "app/number_range.h"
#include "app/program.h"
#include "app/text_argument.h"
#include "engine/utf8.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <map>

namespace vitrine {
namespace {

constexpr int kMaxDemoChats = 256;
/// The largest screens of today have 7680 in a row; a picture of so many in both takes 256 MiB.
constexpr int kMostPixels = 8192;

const std::map<std::string, ui::ThemeChoice> kThemes{
    {"light", ui::ThemeChoice::Light}, {"dark", ui::ThemeChoice::Dark}, {"system", ui::ThemeChoice::System}};

/// "1280x800"; nothing else, and nothing larger than kMostPixels.
std::optional<QSize> sizeFrom(const std::string& text)
{
    const char* const end = text.data() + text.size();
    int width = 0, height = 0;
    const auto first = std::from_chars(text.data(), end, width);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x')
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, height);
    const auto fits = [](int pixels) { return pixels > 0 && pixels <= kMostPixels; };
    if (second.ec != std::errc() || second.ptr != end || !fits(width) || !fits(height))
        return std::nullopt;
    return QSize(width, height);
}

} // namespace

std::variant<CommandLine, int> parseCommandLine(int argc, char** argv, const EngineOptions& engine)
{
    CommandLine line;
    line.engine = engine;
    std::string model, screenshot, size;
    ui::ThemeChoice theme{};
    CLI::App app{"Local LLM chat with the engine behind glass", "vitrine"};
    addUsage(app);
    app.add_option("FILE", model, "a GGUF file, or a .vitrine-recording; without one, the starter model")
        ->check(FileName());
    auto* demo =
        app.add_option("--demo", line.demoChats, "start with this many chats that talk by themselves")
            ->transform(WholeRange(1, kMaxDemoChats));
    app.add_flag("--keep", line.keepsDemo, "store the demonstration's chats as others are")->needs(demo);
    app.add_flag("--no-glass", line.hidesGlass, "start with the panels of the glass closed");
    auto* shot =
        app.add_option("--screenshot", screenshot, "save the window as PNG and quit")->check(FileName());
    app.add_option("--after", line.screenshotSeconds, "seconds until the screenshot")
        ->needs(shot)
        ->transform(NumberRange(0.0, 86400.0));
    app.add_option("--size", size, "size of the window, WIDTHxHEIGHT")->check([](const std::string& text) {
        return sizeFrom(text) ? std::string()
                              : "'" + printable(text) + "' is not a size such as 1280x800, with at most " +
                                    std::to_string(kMostPixels) + " in each direction";
    });
    auto* themed = app.add_option("--theme", theme, "light, dark or system")
                       ->transform(Choice<ui::ThemeChoice>(kThemes));
    addEngineFlags(app, line.engine);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return endParsing(app, error);
    }
    line.model = QString::fromLocal8Bit(model.c_str());
    line.screenshot = QString::fromLocal8Bit(screenshot.c_str());
    line.size = sizeFrom(size).value_or(QSize());
    if (themed->count() > 0)
        line.theme = theme;
    return line;
}

} // namespace vitrine
