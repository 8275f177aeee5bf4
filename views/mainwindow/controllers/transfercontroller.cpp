#include "views/mainwindow/controllers/transfercontroller.h"

#include "views/transfers/importdialog.h"
#include "views/transfers/messageexport.h"
#include "views/transfers/savetable.h"

namespace views {

TransferController::TransferController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    const Console &console = window.console();
    connect(window.action(ActionId::ExportMessages), &QAction::triggered, this, [this] {
        const models::ActionScope &scope = m_window.console().selection.scope();
        if (!scope.isEmpty())
            MessageExport::ask(m_window.console().session, scope, &m_window);
    });
    connect(window.action(ActionId::ImportMessages), &QAction::triggered, this,
            [this] { ImportDialog::ask(m_window.console(), &m_window); });
    connect(window.action(ActionId::SaveTable), &QAction::triggered, this, &TransferController::saveTable);
    connect(&console.selection, &models::SharedSelection::changed, this, &TransferController::update);
    connect(&console.session, &models::ConsoleSession::connectionsChanged, this, &TransferController::update);
    connect(&console.session, &models::ConsoleSession::engineChanged, this, &TransferController::update);
    update();
}

void TransferController::update()
{
    const Console &console = m_window.console();
    m_window.allow(ActionId::ExportMessages,
                   console.selection.scope().isEmpty() ? tr("Select groups or messages first.") : QString());
    const bool hasConnection = !console.session.snapshot().connections.isEmpty();
    m_window.allow(ActionId::ImportMessages,
                   hasConnection ? console.session.refusal(models::Verb::Pause) : tr("Add a connection first."));
}

void TransferController::saveTable()
{
    models::ConsoleSession &session = m_window.console().session;
    DataTable *table = tableOnScreen(&m_window, m_window.currentPage());
    if (table == nullptr)
        Q_EMIT session.failed(tr("There is no table on this page."));
    else
        views::saveTable(session, table);
}

} // namespace views

#include "moc_transfercontroller.cpp"
