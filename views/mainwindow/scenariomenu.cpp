#include "views/mainwindow/scenariomenu.h"

#include "views/common/widgets/plaintext.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>

namespace views {

ScenarioMenu::ScenarioMenu(QMenuBar &bar, const QList<ScenarioChoice> &choices, const QString &current)
    : QObject(&bar)
{
    auto *const menu = new QMenu(tr("&Scenario"), &bar);
    bar.insertMenu(bar.actions().isEmpty() ? nullptr : bar.actions().constLast(), menu);
    menu->setObjectName(QStringLiteral("scenarioMenu"));
    menu->setToolTipsVisible(true);
    auto *group = new QActionGroup(menu); // exclusive: a screen reader says which one runs
    for (const ScenarioChoice &choice : choices) {
        QAction *const action = menu->addAction(choice.title);
        action->setCheckable(true);
        action->setChecked(choice.name == current);
        action->setToolTip(plainToolTip(choice.explanation));
        action->setStatusTip(choice.explanation);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, name = choice.name, current] {
            if (name != current)
                Q_EMIT chosen(name);
        });
    }
}

} // namespace views

#include "moc_scenariomenu.cpp"
