// Builds the menu bar from the table of actions.
#include "views/mainwindow/mainwindow.h"

#include <QMenuBar>
#include <QShortcut>

namespace views {

void MainWindow::makeMenus()
{
    const std::pair<MenuId, QString> menus[] = {
        {MenuId::Console, tr("&Console")},   {MenuId::View, tr("&View")},   {MenuId::Connection, tr("C&onnection")},
        {MenuId::Messages, tr("&Messages")}, {MenuId::Retry, tr("&Retry")}, {MenuId::Help, tr("&Help")},
    };
    for (const auto &[id, name] : menus) {
        QMenu *menu = menuBar()->addMenu(name);
        menu->setToolTipsVisible(true);
        if (id == MenuId::View)
            menu->setObjectName(QStringLiteral("viewMenu"));
        menu->addActions(m_actions.of(id));
    }
    for (const ActionId first :
         {ActionId::BackUpStore, ActionId::FocusFilter, ActionId::ThemeSystem, ActionId::TimesUtc,
          ActionId::ResetLayout, ActionId::AddPipeline, ActionId::TakeNow, ActionId::ShowEverywhere, ActionId::Archive,
          ActionId::TakeBack, ActionId::ExportMessages, ActionId::AssignPolicy, ActionId::PauseAll, ActionId::About,
          ActionId::Conventions, ActionId::Quit}) {
        for (QMenu *menu : menuBar()->findChildren<QMenu *>()) {
            if (menu->actions().contains(m_actions.get(first)))
                menu->insertSeparator(m_actions.get(first));
        }
    }
    addActions(m_actions.all()); // so that shortcuts work while the menu bar is hidden
    auto *open = new QShortcut(QKeySequence(Qt::Key_F10), this);
    connect(open, &QShortcut::activated, this,
            [this] { menuBar()->setActiveAction(menuBar()->actions().constFirst()); });
}

} // namespace views
