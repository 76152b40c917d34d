// SPDX-License-Identifier: GPL-3.0-or-later
// Not a test: saves pictures of the window in the states that people have to judge. window_pictures FOLDER
#include "app/main_window.h"
#include "app/workspace.h"
#include "tests/support/gui_test.h"
#include "tests/support/workload_engine.h"
#include "ui/chat/composer.h"
#include "ui/chat/conversation_view.h"
#include "ui/chat/text_reader.h"
#include "ui/models/glass_model.h"
#include "ui/theme/theme.h"
#include "ui/window/about_dialog.h"
#include "ui/window/adaptive_layout.h"
#include "ui/window/notice_banner.h"
#include "ui/window/settings_dialog.h"

#include <QPixmap>
#include <QSettings>
#include <QTextCursor>
#include <QTranslator>

using namespace vitrine;
using namespace vitrine::ui;

namespace {

Message message(Role role, const QString& text, MessageState state = MessageState::Done,
                const QString& note = {})
{
    Message made;
    made.role = role;
    made.text = text;
    made.state = state;
    made.note = note;
    if (role == Role::Assistant)
        made.stats = {.promptTokens = 412,
                      .cachedTokens = 384,
                      .generatedTokens = 182,
                      .ttftSeconds = 0.21,
                      .e2eSeconds = 4.6,
                      .decodeTokensPerSecond = 41.3};
    return made;
}

const QString kMarkdown = QStringLiteral(
    "Blocks are the pages of the cache. Each holds the keys and values of **16 tokens**, and a *block table* "
    "says "
    "where the next one is.\n\n## Why pages\n\n1. No run of free memory has to be long.\n2. Equal prompts "
    "share "
    "their first blocks.\n3. What is free can be used by anyone.\n\nIn code, with `block_size` 16:\n\n"
    "```cpp\nstd::int64_t slotOf(const BlockTable& table, std::int32_t position)\n{\n    return "
    "table[position / 16] * "
    "16 + position % 16;\n}\n```\n\nThat is all there is to it: a division, a look-up, and a remainder. The "
    "attention kernel does the same for every token that came before.");

const QString kJapanese =
    QStringLiteral("もちろんです。空が青く見えるのは、太陽の光が大気中の分子によって散乱されるためです。波長"
                   "の短い青い光は、赤い光よりもずっと"
                   "強く散乱されます。\n\n夕方になると、光は大気の中をより長い距離だけ進みます。青い光はその"
                   "途中で失われ、残った赤い光が"
                   "私たちの目に届きます。\n\n- 青い光：波長は約450 nm\n- 赤い光：波長は約700 nm");

void fill(Workspace& workspace)
{
    ChatBook& book = workspace.book();
    const auto chat = [&](const QString& title, std::initializer_list<Message> messages) {
        const ChatId id = book.add(title, {});
        for (const Message& each : messages)
            book.append(id, each);
    };
    chat(QStringLiteral("An old talk"),
         {message(Role::User, QStringLiteral("Hello?")), message(Role::Assistant, QStringLiteral("Hello!"))});
    chat(
        QStringLiteral(
            "What a title that goes on and on, much longer than any rail could ever be, and then some"),
        {message(Role::User, QStringLiteral("Count to a million.")),
         message(Role::Assistant, QStringLiteral("One, two, three, four, five, six"),
                 MessageState::Interrupted),
         message(Role::User, QStringLiteral("Go on")),
         message(Role::Assistant, {}, MessageState::Failed,
                 QStringLiteral(
                     "max_model_len: the prompt has 9,120 tokens, the context 8,192 (shorten the message, or "
                     "raise max_model_len)"))});
    chat(QStringLiteral("なぜ空は青いのですか？夕焼けが赤い理由も教えてください"),
         {message(Role::User, QStringLiteral("なぜ空は青いのですか？夕焼けが赤い理由も教えてください。")),
          message(Role::Assistant, kJapanese)});
    chat(QStringLiteral("What is a KV cache block?"),
         {message(Role::User, QStringLiteral("What is a KV cache block?")),
          message(Role::Assistant, QStringLiteral("A piece of memory for the keys and values of 16 tokens."),
                  MessageState::Stopped),
          message(Role::Notice,
                  QStringLiteral("The conversation has outgrown the context of 2,048 tokens. Policy: the "
                                 "system prompt stays, the 4 oldest turns are no longer sent to the "
                                 "model; they stay readable here.")),
          message(Role::User, QStringLiteral("Tell me more, with code.\nAnd <b>no</b> HTML, please.")),
          message(Role::Assistant, kMarkdown)});
}

void save(QWidget& widget, const QString& folder, const QString& name)
{
    QTest::qWait(300);
    widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

void takePictures(Settings& settings, const QString& folder, ThemeChoice theme, const QString& suffix)
{
    applyTheme(theme);
    Workspace workspace(settings);
    {
        MainWindow window(workspace);
        window.open(nullptr, {1280, 800});
        save(window, folder, QStringLiteral("no-model-") + suffix);
    }
    workspace.controller().remove(workspace.book().at(0).id);
    fill(workspace);
    MainWindow window(workspace);
    window.open(nullptr, {1280, 800});
    save(window, folder, QStringLiteral("markdown-") + suffix);
    window.showChat(workspace.book().at(1).id);
    save(window, folder, QStringLiteral("japanese-") + suffix);
    window.resize(1000, 700);
    window.showChat(workspace.book().at(2).id);
    workspace.model().load(QStringLiteral("/somewhere/that/does/not/exist/model.gguf"));
    window.banner().offer(QStringLiteral("“An old talk” was deleted."), {QStringLiteral("Undo"), [] {}});
    save(window, folder, QStringLiteral("errors-") + suffix);
    SettingsDialog dialog(settings, workspace.model().info(), &window);
    dialog.show();
    save(dialog, folder, QStringLiteral("settings-") + suffix);
    AboutDialog about(&window);
    about.show();
    save(about, folder, QStringLiteral("about-") + suffix);
}

/// Eight chats with a shared system prompt on a pool that is too small, in a window that has the glass as a
/// tab.
void takeGlassTab(Settings& settings, const QString& folder, QSize size, const QString& name)
{
    applyTheme(ThemeChoice::Light);
    Workspace workspace(settings);
    MainWindow window(workspace);
    window.open(nullptr, size);
    test::WorkloadEngine engine(SchedulerOptions{.numBlocks = 90}, 1);
    GlassModel& glass = workspace.glass();
    ModelInfo info;
    info.name = "SmolLM2 135M Instruct";
    info.blockSize = 16;
    info.numBlocks = 90;
    glass.setModel(info);
    auto first = std::make_shared<StepBatch>();
    first->snapshot = std::make_shared<const PoolSnapshot>(engine.snapshot());
    glass.apply(first);
    for (int chat = 0; chat < 8; ++chat) {
        (void)engine.submit(200 + 37 * chat, 120, 160);
        auto steps = std::make_shared<StepBatch>();
        for (int i = 0; i < 12; ++i)
            steps->steps.push_back(engine.step());
        glass.apply(steps);
    }
    window.findChild<AdaptiveLayout*>()->showGlass(true);
    save(window, folder, name);
}

/// What fonts and line breaks have trouble with.
const QString kScripts = QStringLiteral(
    "Emoji: \U0001F600 \U0001F469\u200D\U0001F469\u200D\U0001F467 \U0001F1EF\U0001F1F5 \U0001F44B\U0001F3FD\n"
    "Right to left: \u0645\u0631\u062D\u0628\u0627 \u0628\u0643 (KV cache) \u05E9\u05DC\u05D5\u05DD\n"
    "Combining: e\u0301 a\u030A\u0332 "
    "Z\u0351\u0346\u030D\u0341\u0357\u0363\u0369\u0334a\u0336l\u0337g\u0338o\n"
    "Zero width: a\u200Bb\u200Cc\u200Dd\uFEFFe, soft\u00ADhyphen, directions \u202Eabc\u202C def\n"
    "Tab\there, a control \u0001 and \u007F, replaced \uFFFD, thin\u2009space\n"
    "Indic \u0928\u092E\u0938\u094D\u0924\u0947, Thai \u0E2A\u0E27\u0E31\u0E2A\u0E14\u0E35, Korean "
    "\uC548\uB155, math \U0001D54F = \u2211\u1D62 x\u00B2");

/// Texts that are long or strange, in a window of this size.
void takeTexts(Settings& settings, const QString& folder, QSize size, const QString& name)
{
    applyTheme(ThemeChoice::Light);
    Workspace workspace(settings);
    ChatBook& book = workspace.book();
    const auto add = [&](const QString& title, const QString& question, const QString& answer) {
        const ChatId id = book.add(title, {});
        book.append(id, message(Role::User, question));
        book.append(id, message(Role::Assistant, answer));
        return id;
    };
    const QString nul = QStringLiteral("before") + QChar(0) + QStringLiteral("after");
    const ChatId scripts = add(kScripts.left(90).simplified(), kScripts + QChar('\n') + nul, kScripts);
    add(QStringLiteral("\u0645\u0631\u062D\u0628\u0627 \u0628\u0643 \u0641\u064A \u0647\u0630\u0627 (2)"),
        QStringLiteral("\u0645\u0631\u062D\u0628\u0627"), QStringLiteral("\u05E9\u05DC\u05D5\u05DD"));
    const QString words = QStringLiteral("The quick brown fox jumps over the lazy dog. ").repeated(40'000);
    const ChatId lengthy = add(QStringLiteral("Sum this up (12)"), words, QString(900'000, QChar('x')));
    add(QStringLiteral("Ten thousand lines"), QStringLiteral("a line\n").repeated(10'000),
        QStringLiteral("- item\n").repeated(10'000));
    MainWindow window(workspace);
    window.open(nullptr, size);
    window.showChat(scripts);
    save(window, folder, name + QStringLiteral("-scripts"));
    window.showChat(lengthy);
    window.findChild<Composer*>()->setDraft({QStringLiteral("What is this?"), words});
    window.findChild<Composer*>()->setContextLimit(8192);
    save(window, folder, name + QStringLiteral("-long"));
    auto* view = window.findChild<ConversationView*>();
    view->moveCursor(QTextCursor::Start);
    view->find(QStringLiteral("⋯")); // what is not shown
    save(window, folder, name + QStringLiteral("-long-middle"));
    TextReader reader(QStringLiteral("Sum this up (12)"), words, &window);
    reader.findNext(QStringLiteral("lazy DOG"));
    reader.show();
    save(reader, folder, name + QStringLiteral("-reader"));
}

} // namespace

int main(int argc, char** argv)
{
    const QTemporaryDir home;
    qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
    QApplication application(argc, argv);
    QTranslator words; // English has its plural forms there
    if (words.load(qEnvironmentVariable("VITRINE_PICTURES_WORDS", QStringLiteral(":/i18n/vitrine_en.qm"))))
        QCoreApplication::installTranslator(&words);
    QSettings store;
    Settings settings(store);
    const QString folder = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    takePictures(settings, folder, ThemeChoice::Light, QStringLiteral("light"));
    takePictures(settings, folder, ThemeChoice::Dark, QStringLiteral("dark"));
    takeTexts(settings, folder, {1280, 800}, QStringLiteral("texts"));
    takeTexts(settings, folder, {800, 600}, QStringLiteral("texts-small"));
    takeGlassTab(settings, folder, {1024, 700}, QStringLiteral("glass-tab"));
    takeGlassTab(settings, folder, {800, 600}, QStringLiteral("glass-tab-small"));
    settings.setLargeType(true);
    takeGlassTab(settings, folder, {1280, 800}, QStringLiteral("glass-tab-large-type"));
    takeGlassTab(settings, folder, {1920, 1080}, QStringLiteral("glass-large-type-wide"));
    takeTexts(settings, folder, {1280, 800}, QStringLiteral("texts-large-type"));
    return 0;
}
