// SPDX-License-Identifier: GPL-3.0-or-later
// A model file: everything that loading does with it, up to the point where weights are repacked.
#include "engine/model/model_file.h"
#include "engine/model/model_survey.h"
#include "engine/text/chat_template.h"
#include "engine/text/detokenizer.h"
#include "engine/text/end_of_turn.h"
#include "engine/utf8.h"
#include "tests/fuzz/fuzz_target.h"

using namespace vitrine;
using fuzz::ensure;

namespace {

void checkError(const Error& error)
{
    const std::string line = error.line();
    ensure(isValidUtf8(line) && line.find('\n') == std::string::npos, "an error is one line of UTF-8");
    ensure(line.find("fuzz.gguf") != std::string::npos, "an error names the file");
    ensure(line.size() < 2000, "an error is short");
}

void readMetadata(const GgufFile& file)
{
    for (const GgufEntry& entry : file.metadata()) {
        ensure(file.value(entry.key) != nullptr, "a key that is listed is found");
        ensure(!entry.value.typeName().empty(), "a value has a type");
        if (const auto strings = entry.value.as<GgufStrings>()) {
            std::size_t count = 0;
            for (std::string_view text : *strings)
                count += text.size() <= file.fileBytes() ? 1 : 0;
            ensure(count == strings->size(), "an array holds the strings that it counts");
        }
        for (std::size_t i = 0; i < std::min<std::size_t>(entry.value.count(), 100); ++i) {
            (void)entry.value.numberAt<double>(i);
            (void)entry.value.numberAt<std::int32_t>(i);
            (void)entry.value.numberAt<bool>(i);
        }
    }
}

void readTensors(const GgufFile& file)
{
    std::size_t sum = 0;
    for (const GgufTensor& tensor : file.tensors()) {
        ensure(file.tensor(tensor.name) == &tensor, "a tensor that is listed is found");
        ensure(tensor.rows() > 0 && !tensor.typeName().empty(), "a tensor has rows and a type");
        if (!tensor.data.empty())
            sum += std::to_integer<unsigned>(tensor.data.front()) +
                   std::to_integer<unsigned>(tensor.data.back());
    }
    ensure(sum <= 510 * file.tensors().size(), "data can be read from end to end");
}

void readText(const GgufFile& file, const Tokenizer& tokenizer)
{
    const ChosenChatTemplate chosen =
        chooseChatTemplate(file.find<std::string_view>("tokenizer.chat_template"));
    const EndOfTurn end = endOfTurn(*chosen.chatTemplate, tokenizer);
    ensure(!end.token || tokenizer.vocabulary().kind(*end.token) == TokenKind::Control,
           "a turn ends with a control token");
    ensure(!end.token || end.text.empty(), "or with a text");
    const std::vector<ChatMessage> messages{{"system", "Be kind."}, {"user", "Hi <|im_end|> ▁é"}};
    const Result<RenderedChat> chat = chosen.chatTemplate->render(messages, {});
    const std::string_view text = chat ? std::string_view(chat->text).substr(0, 4096) : "Hello, 42 worlds!";
    Detokenizer detokenizer(tokenizer.vocabulary());
    for (TokenId token : tokenizer.tokenize(text, {.addBos = true, .addEos = true, .parseSpecial = true})) {
        ensure(tokenizer.vocabulary().contains(token), "tokens are of the vocabulary");
        ensure(isValidUtf8(detokenizer.append(token)), "what people read is UTF-8");
    }
}

void checkShown(const std::string& text)
{
    ensure(isValidUtf8(text) && text.find('\n') == std::string::npos, "what is shown is one line of UTF-8");
    ensure(text.size() < 2000, "what is shown is short");
}

/// What loading would take, on a small machine and on a large one, up to where weights are repacked.
void estimate(const ModelSurvey& survey)
{
    for (const std::int64_t room : {std::int64_t{1} << 24, std::int64_t{1} << 40}) {
        const Result<MemoryEstimate> memory = estimateMemory(*survey.spec, survey, {}, {room, 0});
        if (!memory) {
            checkShown(memory.error().line());
            continue;
        }
        ensure(memory->weights >= 0 && memory->kvCache > 0 && memory->activations > 0 && memory->total() > 0,
               "memory is a number above 0");
        ensure(memory->total() < std::int64_t{1} << 44, "what fits is of a size with the machine");
        ensure(memory->scheduler.numBlocks > 1 && memory->scheduler.maxModelLen > 0, "a pool has blocks");
    }
}

void survey(const ModelSurvey& survey)
{
    ensure(survey.spec.has_value() != survey.refusal.has_value(), "a model is taken or refused");
    for (const std::string& text :
         {survey.name, survey.architecture, survey.tokenizer, survey.chatTemplate, survey.tensorTypeNames()})
        checkShown(text);
    for (const std::string& warning : survey.warnings)
        checkShown(warning);
    if (survey.refusal)
        return checkError(*survey.refusal);
    estimate(survey);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    Result<GgufFile> gguf = GgufFile::parse(std::as_bytes(std::span(data, size)), "fuzz.gguf");
    if (!gguf)
        return checkError(gguf.error()), 0;
    readMetadata(*gguf);
    readTensors(*gguf);
    if (const auto tokenizer = Tokenizer::fromGguf(*gguf))
        readText(*gguf, **tokenizer);
    else
        checkError(tokenizer.error());
    survey(surveyModel(std::move(*gguf)));
    return 0;
}
