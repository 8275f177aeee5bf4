// The context menu of the message list. Every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/scopemenu.h"
#include "views/messages/messagespage.h"
#include "views/transfers/messageexport.h"

namespace views {

// In a mixed selection the decisions act only on the messages of this status; the question says how many they are.
void MessagesPage::addActions(ScopeMenu *menu, records::MessageStatus status, const models::ActionScope &chosen)
{
    menu->addDecisions(status, chosen.filter.status.has_value() || chosen.count == 1);
    if (status != records::MessageStatus::Unresolved)
        return;
    const QString count = models::formatNumber(chosen.count);
    menu->addRetry(tr("Retry %1 selected…").arg(count));
    menu->addEdit(tr("Edit and retry %1 selected…").arg(count));
    menu->addArchive(tr("Archive %1 selected").arg(count));
    menu->addRelease(tr("Release %1 selected to error queue…").arg(count));
}

void MessagesPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("messageMenu"), this);
    const records::FailedMessage *message = m_model.messageAt(index.row());
    const records::MessageStatus listed = chosen.filter.status.value_or(records::MessageStatus::Unresolved);
    addActions(menu, message != nullptr ? message->status : listed, chosen);
    MessageExport::addEntry(*menu, tr("Export %1 selected…").arg(models::formatNumber(chosen.count)), console().session,
                            chosen, window());
    menu->addSeparator();
    connect(menu->addAction(tr("Select everything in this filter")), &QAction::triggered, m_table,
            &QTableView::selectAll);
    if (message != nullptr) {
        const QString type = message->messageType;
        QAction *only = menu->addAction(tr("Show only messages of this type"));
        connect(only, &QAction::triggered, this, [this, type] {
            m_base.messageType = type;
            applyFilter();
        });
        menu->addCopy(tr("Copy message ID"), message->messageId.isEmpty() ? message->uniqueId : message->messageId);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
