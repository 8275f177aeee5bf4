#pragma once

#include "views/common/page.h"

#include <QDialog>

class QAction;
class QLineEdit;
class QListWidget;

namespace views {

// Ctrl+K: every action by name, and every queue as a place to go to.
class CommandPalette final : public QDialog
{
    Q_OBJECT

public:
    CommandPalette(const Console &console, const QList<QAction *> &actions, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // arrows move in the list while the box has the focus

private:
    void fill();
    void filter(const QString &text);
    void run();

    Console m_console;
    QList<QAction *> m_actions;
    QLineEdit *m_box;
    QListWidget *m_list;
};

} // namespace views
