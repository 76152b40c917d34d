// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/engine_flags.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>

namespace vitrine {
namespace {

constexpr int kUsageError = 2;
constexpr int kMaxDemoChats = 256;

const std::map<std::string, ui::ThemeChoice> kThemes{
    {"light", ui::ThemeChoice::Light}, {"dark", ui::ThemeChoice::Dark}, {"system", ui::ThemeChoice::System}};

std::optional<QSize> sizeFrom(const std::string& text)
{
    int width = 0, height = 0, end = 0;
    const bool matches = std::sscanf(text.c_str(), "%5dx%5d%n", &width, &height, &end) == 2 &&
                         static_cast<std::size_t>(end) == text.size();
    return matches && width > 0 && height > 0 ? std::optional(QSize(width, height)) : std::nullopt;
}

} // namespace

std::variant<CommandLine, int> parseCommandLine(int argc, char** argv, const EngineOptions& engine)
{
    CommandLine line;
    line.engine = engine;
    std::string model, screenshot, size;
    ui::ThemeChoice theme{};
    CLI::App app{"Local LLM chat with the engine behind glass", "vitrine"};
    app.set_version_flag("--version", VITRINE_VERSION);
    app.add_option("MODEL", model, "a GGUF file; without one, the starter model");
    auto* demo =
        app.add_option("--demo", line.demoChats, "start with this many chats that talk by themselves")
            ->check(CLI::Range(1, kMaxDemoChats));
    app.add_flag("--keep", line.keepsDemo, "store the demonstration's chats as others are")->needs(demo);
    app.add_flag("--no-glass", line.hidesGlass, "start with the panels of the glass closed");
    auto* shot = app.add_option("--screenshot", screenshot, "save the window as PNG and quit");
    app.add_option("--after", line.screenshotSeconds, "seconds until the screenshot")
        ->needs(shot)
        ->check(NumberRange(0.0, 86400.0));
    app.add_option("--size", size, "size of the window, WIDTHxHEIGHT")->check([](const std::string& text) {
        return sizeFrom(text) ? std::string() : "not a size such as 1280x800: " + text;
    });
    auto* themed = app.add_option("--theme", theme, "light, dark or system")
                       ->transform(CLI::CheckedTransformer(kThemes, CLI::ignore_case));
    addEngineFlags(app, line.engine);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : kUsageError;
    }
    line.model = QString::fromLocal8Bit(model.c_str());
    line.screenshot = QString::fromLocal8Bit(screenshot.c_str());
    line.size = sizeFrom(size).value_or(QSize());
    if (themed->count() > 0)
        line.theme = theme;
    return line;
}

} // namespace vitrine
