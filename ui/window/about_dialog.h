// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>

namespace vitrine::ui {

/// Name, version, what it is, licence.
class AboutDialog : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(QWidget* parent = nullptr);
};

} // namespace vitrine::ui
