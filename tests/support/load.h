// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "engine/gguf/gguf_file.h"
#include "engine/text/tokenizer.h"

#include <QString>
#include <QtGlobal>

#include <memory>

namespace vitrine::test {

/// For files that the test set-up promises: ends the program where they cannot be read.
inline GgufFile openGguf(const QString& path)
{
    Result<GgufFile> file = GgufFile::open(path.toStdString());
    if (!file)
        qFatal("%s", file.error().line().c_str());
    return std::move(*file);
}

inline std::unique_ptr<Tokenizer> tokenizerOf(const GgufFile& file)
{
    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::fromGguf(file);
    if (!tokenizer)
        qFatal("%s", tokenizer.error().line().c_str());
    return std::move(*tokenizer);
}

inline std::unique_ptr<Tokenizer> loadTokenizer(const QString& path)
{
    return tokenizerOf(openGguf(path));
}

} // namespace vitrine::test
