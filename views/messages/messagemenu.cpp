// The context menu of the message list: every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/datatable.h"
#include "views/common/scopemenu.h"
#include "views/messages/messagespage.h"

namespace views {

void MessagesPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("messageMenu"), this);
    const QString count = models::formatNumber(chosen.count);
    menu->addRetry(tr("Retry %1 selected…").arg(count));
    menu->addArchive(tr("Archive %1 selected").arg(count));
    menu->addSeparator();
    connect(menu->addAction(tr("Select everything in this filter")), &QAction::triggered, m_table,
            &QTableView::selectAll);
    if (const records::FailedMessage *message = m_model.messageAt(index.row())) {
        const QString type = message->messageType;
        QAction *only = menu->addAction(tr("Show only messages of this type"));
        connect(only, &QAction::triggered, this, [this, type] {
            m_base.messageType = type;
            applyFilter();
        });
        menu->addCopy(tr("Copy the message id"), message->messageId.isEmpty() ? message->uniqueId : message->messageId);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
