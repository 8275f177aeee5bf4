#include "views/policies/policymenu.h"

#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "views/common/text.h"

#include <QMenu>

namespace views {

void addPolicyEntries(QMenu &menu, const Console &console, const recovery::Scope &scope, const QString &words)
{
    const Console at = console; // the menu may live longer than the caller's reference
    const QString refusal = at.session.refusal(models::Verb::Retry, scope.connection);
    const auto add = [&](const QString &objectName, const QString &text, const QString &reason, auto run) {
        QAction *entry = menu.addAction(at.theme.icon(QStringLiteral("policy")), withoutMnemonics(text));
        entry->setObjectName(objectName);
        entry->setEnabled(reason.isEmpty());
        entry->setToolTip(plainToolTip(reason));
        QObject::connect(entry, &QAction::triggered, &at.session, run);
    };
    const api::Snapshot &snapshot = at.session.snapshot();
    const models::AssignedPolicy assigned = scope.of == recovery::Scope::Of::Group
                                                ? models::policyOfGroup(snapshot, scope.group)
                                                : models::policyOfQueue(snapshot, scope.connection, scope.queue);
    if (assigned.policy == nullptr) {
        add(QStringLiteral("assignPolicy"), Text::tr("Assign a policy…"), refusal,
            [at, scope, words] { Q_EMIT at.navigator.assignmentRequested(scope, words); });
        return;
    }
    const QString name = assigned.policy->name;
    add(QStringLiteral("showPolicy"), Text::tr("Show policy %1").arg(models::visibleLine(name, 40)), {},
        [at, name] { Q_EMIT at.navigator.policyRequested(name); });
    add(QStringLiteral("unassignPolicy"), Text::tr("Unassign policy %1").arg(models::visibleLine(name, 40)), refusal,
        [at, id = assigned.assignment] { at.session.unassignPolicy(id); });
}

} // namespace views
