// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/model/model_file.h"

#include "engine/model/family.h"

namespace vitrine {

Result<ModelFile> ModelFile::open(const std::string& path)
{
    Result<GgufFile> gguf = GgufFile::open(path);
    if (!gguf)
        return tl::unexpected(gguf.error());
    return read(std::move(*gguf));
}

Result<ModelFile> ModelFile::read(GgufFile gguf)
{
    Result<ModelSpec> spec = readModelSpec(gguf);
    if (!spec)
        return tl::unexpected(spec.error());
    Result<ModelWeights> weights = findWeights(gguf, *spec);
    if (!weights)
        return tl::unexpected(weights.error());
    return ModelFile{std::move(gguf), std::move(*spec), std::move(*weights)};
}

Result<std::unique_ptr<Tokenizer>> ModelFile::readTokenizer() const
{
    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::fromGguf(gguf);
    if (!tokenizer)
        return tokenizer;
    const std::size_t tokens = (*tokenizer)->vocabulary().size();
    if (tokens > static_cast<std::size_t>(spec.vocabSize))
        return fail("tokenizer.ggml.tokens: " + std::to_string(tokens) +
                        " tokens, but token_embd.weight has " + std::to_string(spec.vocabSize) + " rows",
                    gguf.path());
    return tokenizer;
}

} // namespace vitrine
