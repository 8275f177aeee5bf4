// The context menu of the failure groups. Every entry names what it acts on.
#include "models/common/visibletext.h"
#include "views/common/lists/datatable.h"
#include "views/common/widgets/scopemenu.h"
#include "views/groups/groupmarks.h"
#include "views/groups/groupspage.h"
#include "views/policies/policymenu.h"
#include "views/transfers/messageexport.h"

namespace views {

// The note belongs to the clicked group; muting acts on all selected groups.
void GroupsPage::addMarks(ScopeMenu &menu, int row)
{
    menu.addSeparator();
    const api::GroupRow group = m_feed.rows().at(row).row;
    QAction *note = menu.addVerb(QStringLiteral("edit"), group.marks.note ? tr("Edit note…") : tr("Write note…"),
                                 models::Verb::Note);
    note->setObjectName(QStringLiteral("note"));
    connect(note, &QAction::triggered, this, [this, group] { askForNote(console(), group, this); });
    QList<api::GroupRow> chosen;
    for (const int one : m_table->selectedRowNumbers())
        chosen.append(m_feed.rows().at(one).row);
    QAction *mute = menu.addVerb(QStringLiteral("clock"), tr("Mute"), models::Verb::Mute);
    mute->setObjectName(QStringLiteral("mute"));
    auto *choices = new QMenu(&menu);
    choices->setObjectName(QStringLiteral("muteMenu"));
    addMuteEntries(choices, console(), chosen, this);
    mute->setMenu(choices);
    recovery::Scope scope;
    scope.of = recovery::Scope::Of::Group;
    scope.group = group.id;
    scope.connection = group.connection;
    addPolicyEntries(menu, console(), scope, group.title);
}

void GroupsPage::showMenu(const QPoint &at)
{
    const QModelIndex index = m_table->indexAt(at);
    const models::ActionScope chosen = scope();
    if (!index.isValid() || chosen.isEmpty())
        return;
    const QString what = models::scopeText(chosen);
    auto *menu = new ScopeMenu(console(), chosen, QStringLiteral("groupMenu"), this);
    menu->addDecisions(m_feed.query().status, true);
    if (m_feed.query().status == records::MessageStatus::Unresolved) {
        menu->addRetry(tr("Retry %1…").arg(what));
        menu->addEdit(tr("Edit and retry %1…").arg(what));
        menu->addArchive(tr("Archive %1").arg(what));
        menu->addRelease(tr("Release %1 to error queue…").arg(what));
    }
    MessageExport::addEntry(*menu, tr("Export %1…").arg(what), console().session, chosen, window());
    addMarks(*menu, index.row());
    menu->addSeparator();
    const int row = index.row();
    connect(menu->addEntry(QStringLiteral("open"), tr("Show messages of this group")), &QAction::triggered, this,
            [this, row] { open(row); });
    menu->addCopy(tr("Copy cause"), m_feed.rows().at(row).row.title);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

} // namespace views
