// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/structure/structure_rules.h"

#include <QTemporaryDir>
#include <QTest>

using namespace vitrine::structure;

namespace {

const QByteArray kLicence = "// SPDX-License-Identifier: GPL-3.0-or-later\n";

/// A small project that keeps all rules, into which a test plants what it wants to see found.
class PlantedProject {
public:
    PlantedProject()
    {
        plant("kernels/dot.h", kLicence + "#include <hwy/highway.h>\n#include <cstdint>\n");
        plant("engine/step.cpp", kLicence + "#include \"kernels/dot.h\"\n#include <queue>\n");
        plant("engine/host/host.h", kLicence + "#include \"engine/step.h\"\n#include <QObject>\n");
        plant("ui/models/list.h", kLicence + "#include \"engine/host/host.h\"\n#include <QColor>\n");
        plant("ui/view.cpp",
              kLicence + "#include \"ui/models/list.h\"\n#include <QWidget>\n#include \"view.moc\"\n");
        plant("app/main.cpp", kLicence + "#include \"ui/view.h\"\n#include <QApplication>\n");
        for (const char* name : {"run.sh", "test.sh"})
            plant(name, "#!/usr/bin/env bash\n# SPDX-License-Identifier: GPL-3.0-or-later\n");
        plant("CMakeLists.txt", "# SPDX-License-Identifier: GPL-3.0-or-later\n");
    }

    void plant(const QString& path, const QByteArray& content) const
    {
        QVERIFY(folder().mkpath(QFileInfo(path).path()));
        QFile file(folder().filePath(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

    [[nodiscard]] QDir folder() const { return QDir(m_folder.path()); }

private:
    QTemporaryDir m_folder;
};

QString listed(const QStringList& violations)
{
    return violations.join('\n');
}

} // namespace

class StructureTest : public QObject {
    Q_OBJECT
private slots:
    void thisProjectKeepsTheRules();
    void aProjectThatKeepsTheRulesHasNoViolation();
    void anIncludeInTheWrongDirectionIsFound_data();
    void anIncludeInTheWrongDirectionIsFound();
    void aMissingLicenceIsFound();
    void aMachinePathIsFound();
};

void StructureTest::thisProjectKeepsTheRules()
{
    const QDir project(VITRINE_SOURCE_DIR);
    QVERIFY(project.exists("kernels/tensor_type.h"));
    QCOMPARE(listed(wrongIncludes(project)), QString());
    QCOMPARE(listed(missingLicences(project)), QString());
    QCOMPARE(listed(machinePaths(project)), QString());
}

void StructureTest::aProjectThatKeepsTheRulesHasNoViolation()
{
    const PlantedProject project;
    QCOMPARE(listed(wrongIncludes(project.folder())), QString());
    QCOMPARE(listed(missingLicences(project.folder())), QString());
    QCOMPARE(listed(machinePaths(project.folder())), QString());
}

void StructureTest::anIncludeInTheWrongDirectionIsFound_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("include");
    QTest::newRow("kernels know no engine") << "kernels/a.cpp"
                                            << "\"engine/error.h\"";
    QTest::newRow("kernels know no Qt") << "kernels/a.cpp"
                                        << "<QString>";
    QTest::newRow("engine knows no host") << "engine/gguf/a.cpp"
                                          << "\"engine/host/engine_host.h\"";
    QTest::newRow("engine knows no Qt") << "engine/gguf/a.h"
                                        << "<QtCore/QString>";
    QTest::newRow("engine knows no Qt by its old names") << "engine/a.h"
                                                         << "<qobject.h>";
    QTest::newRow("host knows no Gui") << "engine/host/a.h"
                                       << "<QColor>";
    QTest::newRow("host knows no models") << "engine/host/a.h"
                                          << "\"ui/models/list.h\"";
    QTest::newRow("models know no widgets") << "ui/models/a.h"
                                            << "<QLabel>";
    QTest::newRow("models know no plots") << "ui/models/a.h"
                                          << "<qcustomplot.h>";
    QTest::newRow("models know no views") << "ui/models/a.h"
                                          << "\"ui/view.h\"";
    QTest::newRow("panels know no window") << "ui/glass/a.cpp"
                                           << "\"ui/window/window.h\"";
    QTest::newRow("looks know no panels") << "ui/theme/a.h"
                                          << "\"ui/glass/panel.h\"";
    QTest::newRow("ui knows no app") << "ui/a.cpp"
                                     << "\"app/main_window.h\"";
    QTest::newRow("angle brackets hide nothing") << "ui/a.cpp"
                                                 << "<app/main_window.h>";
    QTest::newRow("includes start at the project's folder") << "engine/a.cpp"
                                                            << "\"error.h\"";
    QTest::newRow("no way up") << "ui/a.cpp"
                               << "\"../app/main_window.h\"";
}

void StructureTest::anIncludeInTheWrongDirectionIsFound()
{
    QFETCH(const QString, path);
    QFETCH(const QString, include);
    const PlantedProject project;
    project.plant(path, kLicence + "#include <vector>\n  #  include " + include.toUtf8() + "\n");
    const QStringList found = wrongIncludes(project.folder());
    QCOMPARE(found.size(), 1);
    QVERIFY2(found.first().startsWith(path + ":3: "), qPrintable(found.first()));
}

void StructureTest::aMissingLicenceIsFound()
{
    const PlantedProject project;
    project.plant("engine/empty.h", "");
    project.plant("engine/late.h", "#pragma once\n" + kLicence);
    project.plant("scripts/no.sh", "#!/bin/sh\necho\n");
    const QStringList found = missingLicences(project.folder());
    QCOMPARE(found.size(), 3);
    QVERIFY(found[0].startsWith("engine/empty.h:1: "));
    QVERIFY(found[1].startsWith("engine/late.h:1: "));
    QVERIFY(found[2].startsWith("scripts/no.sh:1: "));
}

void StructureTest::aMachinePathIsFound()
{
    const PlantedProject project;
    // In two parts, so that this file itself names none.
    project.plant("docs/setup.md", "Fine: /usr/share, a/home/page.\nNot fine: /ho"
                                   "me/ann/vitrine\n");
    project.plant("test.sh", "cd '/wo"
                             "rk/vitrine'\n");
    const QStringList found = machinePaths(project.folder());
    QCOMPARE(found.size(), 2);
    QVERIFY(found[0].startsWith("docs/setup.md:2: "));
    QVERIFY(found[1].startsWith("test.sh:1: "));
}

QTEST_GUILESS_MAIN(StructureTest)
#include "structure_test.moc"
