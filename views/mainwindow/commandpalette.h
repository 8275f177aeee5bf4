#pragma once

#include "views/common/page.h"

#include <QDialog>

class QAction;
class QLabel;
class QLineEdit;
class QListWidget;

namespace views {

// Finds actions, panes and queues by name (Ctrl+K): runs the action, shows or hides the pane, or narrows the pages to the queue.
// GUI thread.
class CommandPalette final : public QDialog
{
    Q_OBJECT

public:
    CommandPalette(const Console &console, const QList<QAction *> &actions, QWidget *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override; // lets the arrow keys of the field move in the list

private:
    void fill();
    void filter(const QString &text);
    void run();

    Console m_console;
    QList<QAction *> m_actions;
    QLineEdit *m_box;
    QListWidget *m_list;
    QLabel *m_none; // said in place of an empty list
};

} // namespace views
