// The context menu of the failure groups: every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/datatable.h"
#include "views/common/scopemenu.h"
#include "views/groups/groupspage.h"

namespace views {

void GroupsPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    const QString what = tr("%1 · %2").arg(chosen.words, models::formatNumber(chosen.count));
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("groupMenu"), this);
    menu->addRetry(tr("Retry… %1").arg(what));
    menu->addEdit(tr("Edit and retry… %1").arg(what));
    menu->addArchive(tr("Archive %1").arg(what));
    menu->addSeparator();
    const int row = index.row();
    connect(menu->addEntry(QStringLiteral("open"), tr("Show the messages of this group")), &QAction::triggered, this,
            [this, row] { open(row); });
    menu->addCopy(tr("Copy the cause"), m_feed.rows().at(row).row.title);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
