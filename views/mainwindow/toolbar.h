#pragma once

#include "views/common/page.h"
#include "views/mainwindow/actions.h"

#include <QToolBar>

class QLineEdit;
class QPushButton;
class QToolButton;

namespace views {

// The tool bar: retry and archive with the selection they act on, pause, search, time range and time zone. GUI thread.
class ToolBar final : public QToolBar
{
    Q_OBJECT

public:
    ToolBar(const Console &console, Actions &actions, QWidget *parent = nullptr);

    void focusSearch();
    void setRangeUsed(bool used); // whether the page in front uses the time range

Q_SIGNALS:
    void searchWanted(); // a search over everything is about to begin
    void rangeChosen(models::TimeRange range);
    // A button with the keyboard focus becomes disabled: the focus must go back to the list, not to the next button.
    void keysLeft();

private:
    void makeButtons();
    void makeSearch();
    void makeRange();
    void dressExtension();
    void updateScoped(); // writes the selection on the buttons that act on it
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
