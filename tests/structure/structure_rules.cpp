// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/structure/structure_rules.h"

#include <QDirIterator>
#include <QLibraryInfo>
#include <QRegularExpression>

#include <array>
#include <optional>

namespace vitrine::structure {
namespace {

struct Layer {
    QLatin1String folder;
    QStringList forbiddenQt; ///< folders of Qt's headers; "Qt" stands for all of them
};

/// Lowest first: a file may include its own layer and those before it.
const std::array<Layer, 8>& layers()
{
    static const QStringList widgets{"QtWidgets", "QtSvgWidgets", "QtPrintSupport", "QCustomPlot"};
    static const std::array<Layer, 8> all{{
        {QLatin1String("kernels/"), {"Qt"}},
        {QLatin1String("engine/"), {"Qt"}},
        {QLatin1String("engine/host/"), QStringList{"QtGui", "QtSql", "QtSvg"} + widgets},
        {QLatin1String("ui/models/"), widgets},
        {QLatin1String("ui/theme/"), {}},
        {QLatin1String("ui/glass/"), {}},
        {QLatin1String("ui/"), {}},
        {QLatin1String("app/"), {}},
    }};
    return all;
}

/// Index into layers() of the longest folder that the path begins with.
std::optional<std::size_t> layerOf(const QString& path)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < layers().size(); ++i)
        if (path.startsWith(layers()[i].folder) &&
            (!found || layers()[i].folder.size() > layers()[*found].folder.size()))
            found = i;
    return found;
}

/// `lineIndex` from 0, as in a list; people count lines from 1.
QString violation(const QString& path, qsizetype lineIndex, const QString& what)
{
    return QString("%1:%2: %3").arg(path).arg(lineIndex + 1).arg(what);
}

QStringList readLines(const QString& file)
{
    QFile input(file);
    return input.open(QIODevice::ReadOnly) ? QString::fromUtf8(input.readAll()).split('\n') : QStringList();
}

QStringList filesBelow(const QDir& project, const QStringList& folders, const QStringList& namePatterns)
{
    QStringList files;
    for (const QString& folder : folders) {
        QDirIterator walk(project.filePath(folder), namePatterns, QDir::Files | QDir::Hidden,
                          QDirIterator::Subdirectories);
        while (walk.hasNext())
            files << project.relativeFilePath(walk.next());
    }
    files.sort();
    return files;
}

const QStringList& allFolders()
{
    static const QStringList folders{"app",       "ui",         "engine", "kernels", "resources", "tests",
                                     "installer", "benchmarks", "docs",   "scripts", "cmake",     ".ci"};
    return folders;
}

/// The folder of Qt's headers that has this one, "QCustomPlot", or nothing where the header is not Qt's.
QString qtModuleOf(const QString& header)
{
    if (header == "qcustomplot.h")
        return "QCustomPlot";
    if (header.startsWith("Qt") && header.contains('/'))
        return header.section('/', 0, 0);
    static const QRegularExpression qtName("^(Q[A-Za-z0-9]+|q[a-z0-9]+\\.h)$");
    if (!qtName.match(header).hasMatch())
        return {};
    const QDir headers(QLibraryInfo::path(QLibraryInfo::HeadersPath));
    const QStringList modules = headers.entryList({"Qt*"}, QDir::Dirs);
    for (const QString& module : modules)
        if (QFile::exists(headers.filePath(module + '/' + header)))
            return module;
    return {};
}

QString whatIsWrongWithQt(const QString& header, const Layer& layer)
{
    const QString module = qtModuleOf(header);
    if (module.isEmpty())
        return {};
    if (!layer.forbiddenQt.contains("Qt") && !layer.forbiddenQt.contains(module))
        return {};
    return QString("%1 may not know %2 (<%3>)").arg(layer.folder, module, header);
}

QString whatIsWrongWithOwn(const QString& header, std::size_t layer)
{
    static const QRegularExpression generated("(\\.moc|^moc_.*\\.cpp|^ui_.*\\.h)$");
    if (generated.match(header).hasMatch())
        return {};
    const std::optional<std::size_t> included = layerOf(header);
    if (!included)
        return QString("\"%1\" is not written from the project's folder, or lies in no layer").arg(header);
    if (*included <= layer)
        return {};
    return QString("%1 may not include %2 (\"%3\")")
        .arg(layers()[layer].folder, layers()[*included].folder, header);
}

QString whatIsWrong(const QString& line, std::size_t layer)
{
    static const QRegularExpression include(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
    const QRegularExpressionMatch match = include.match(line);
    if (!match.hasMatch())
        return {};
    const QString header = match.captured(2);
    if (match.captured(1) == "<" && !layerOf(header))
        return whatIsWrongWithQt(header, layers()[layer]);
    return whatIsWrongWithOwn(header, layer);
}

} // namespace

QStringList wrongIncludes(const QDir& project)
{
    QStringList violations;
    for (const QString& path :
         filesBelow(project, {"app", "ui", "engine", "kernels"}, {"*.h", "*.cpp", "*.cu", "*.inc"})) {
        const QStringList lines = readLines(project.filePath(path));
        for (qsizetype i = 0; i < lines.size(); ++i)
            if (const QString wrong = whatIsWrong(lines[i], *layerOf(path)); !wrong.isEmpty())
                violations << violation(path, i, wrong);
    }
    return violations;
}

QStringList missingLicences(const QDir& project)
{
    QStringList violations;
    const QStringList patterns{"*.h",  "*.cpp",   "*.cu",           "*.inc", "*.sh",
                               "*.py", "*.cmake", "CMakeLists.txt", "run"};
    QStringList files = filesBelow(project, allFolders(), patterns);
    files << "run.sh"
          << "test.sh"
          << "CMakeLists.txt";
    for (const QString& path : files) {
        QStringList lines = readLines(project.filePath(path));
        if (!lines.isEmpty() && lines.first().startsWith("#!"))
            lines.removeFirst();
        static const QRegularExpression licence("^(//|#) SPDX-License-Identifier: GPL-3\\.0-or-later$");
        if (lines.isEmpty() || !licence.match(lines.first()).hasMatch())
            violations << violation(path, 0, "the SPDX line is missing");
    }
    return violations;
}

QStringList machinePaths(const QDir& project)
{
    static const QRegularExpression path("(^|[^\\w.~}-])/(home|root|work|Users|mnt|media)/[A-Za-z]");
    static const QStringList text{
        "*.h",   "*.cpp",  "*.cu", "*.inc",          "*.sh",      "*.py",      "*.cmake",
        "*.txt", "*.json", "*.md", "CMakeLists.txt", "*.desktop", "*.in",      "*.xml",
        "*.svg", "*.ts",   "run",  "*.qrc",          "*.csv",     "*.metainfo"};
    QStringList violations;
    for (const QString& file : filesBelow(project, allFolders(), text) + project.entryList(QDir::Files)) {
        const QStringList lines = readLines(project.filePath(file));
        for (qsizetype i = 0; i < lines.size(); ++i)
            if (path.match(lines[i]).hasMatch())
                violations << violation(file, i, "names a folder of one machine");
    }
    return violations;
}

} // namespace vitrine::structure
