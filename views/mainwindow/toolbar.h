#pragma once

#include "views/common/page.h"
#include "views/mainwindow/actions.h"

#include <QToolBar>

class QLineEdit;
class QPushButton;
class QToolButton;

namespace views {

// The strip of 40 pixels: the one primary button with the scope it acts on, archive, pause, search, time range and zone.
class ToolBar final : public QToolBar
{
    Q_OBJECT

public:
    ToolBar(const Console &console, Actions &actions, QWidget *parent = nullptr);

    void focusSearch();
    void setRangeUsed(bool used); // does the page in front use the time range?

Q_SIGNALS:
    void searched(); // Enter in the box: the Messages page is wanted
    void rangeChosen(models::TimeRange range);
    // A button with the keys in it can no longer be used: they belong to the list again, not to the button beside it.
    void keysLeft();

private:
    void makeButtons();
    void makeSearch();
    void makeRange();
    void updateScoped(); // what acts on the selection names it
    void mirror(QPushButton *button, const QAction *action, const QString &text);
    QPushButton *buttonFor(ActionId id, const QString &objectName);

    Console m_console;
    Actions &m_actions;
    QPushButton *m_retry = nullptr;
    QPushButton *m_archive = nullptr;
    QLineEdit *m_search;
    QToolButton *m_range;
    QToolButton *m_zone;
};

} // namespace views
