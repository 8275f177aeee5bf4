#pragma once

#include <QList>
#include <QObject>

class QMenuBar;

namespace views {

// What the demo can run: its name for the program, and its texts for people.
struct ScenarioChoice
{
    QString name; // "orders"; empty: the demo shop
    QString title; // of the menu item
    QString explanation; // one sentence
};

// The menu of the demo that chooses its scenario. The current one is marked, and choosing it again does nothing. The menu
// belongs to the menu bar, whose last menu stays the last: Help. GUI thread.
class ScenarioMenu final : public QObject
{
    Q_OBJECT

public:
    ScenarioMenu(QMenuBar &bar, const QList<ScenarioChoice> &choices, const QString &current);

Q_SIGNALS:
    void chosen(const QString &name);
};

} // namespace views
