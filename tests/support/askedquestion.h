// A question that views::askQuestion() shows.
#pragma once

#include "tests/support/child.h"

#include <QDialog>
#include <QLabel>
#include <QPushButton>

namespace test {

class AskedQuestion final
{
public:
    // The question of this name that is open below `root`; at most one.
    AskedQuestion(const QWidget &root, const char *name)
        : m_dialog(root.findChild<QDialog *>(QLatin1String(name)))
    {
    }

    [[nodiscard]] bool isOpen() const { return m_dialog != nullptr && m_dialog->isVisible(); }
    [[nodiscard]] QString text() const { return child<QLabel>(*m_dialog, "questionText")->text(); }
    [[nodiscard]] QString consequences() const { return child<QLabel>(*m_dialog, "questionConsequences")->text(); }
    [[nodiscard]] QPushButton *go() const { return child<QPushButton>(*m_dialog, "questionGo"); }
    [[nodiscard]] QPushButton *leave() const { return child<QPushButton>(*m_dialog, "questionLeave"); }
    [[nodiscard]] QDialog *dialog() const { return m_dialog; }

private:
    QDialog *m_dialog;
};

} // namespace test
