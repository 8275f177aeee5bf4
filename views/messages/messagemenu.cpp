// The context menu of the message list: every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/datatable.h"
#include "views/common/scopemenu.h"
#include "views/messages/messagespage.h"

namespace views {

// Of messages in retry, which can neither be retried nor archived.
void MessagesPage::addDecision(ScopeMenu *menu, api::Decision decision, const QString &text)
{
    const bool back = decision == api::Decision::TakeBack;
    QAction *entry = menu->addVerb(back ? QStringLiteral("retry") : QStringLiteral("archive"), text,
                                   back ? models::Verb::Retry : models::Verb::Archive);
    const models::ActionScope chosen = scope();
    connect(entry, &QAction::triggered, this,
            [this, chosen, decision] { console().session.listSent(chosen, decision); });
}

void MessagesPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("messageMenu"), this);
    const QString count = models::formatNumber(chosen.count);
    const records::FailedMessage *message = m_model.messageAt(index.row());
    if (message != nullptr && message->status == records::MessageStatus::RetryIssued) {
        // Of a selection with others among them, these alone: the question says how many.
        addDecision(menu, api::Decision::TakeBack, tr("Take selected ones in retry back…"));
        addDecision(menu, api::Decision::Resolve, tr("Mark selected ones in retry as resolved…"));
    } else {
        menu->addRetry(tr("Retry %1 selected…").arg(count));
        menu->addEdit(tr("Edit and retry %1 selected…").arg(count));
        menu->addArchive(tr("Archive %1 selected").arg(count));
    }
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
        menu->addCopy(tr("Copy the message id"), message->messageId.isEmpty() ? message->uniqueId : message->messageId);
    }
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
