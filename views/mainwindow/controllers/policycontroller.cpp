#include "views/mainwindow/controllers/policycontroller.h"

#include "models/policies/policywords.h"
#include "views/common/widgets/banner.h"
#include "views/policies/assigndialog.h"
#include "views/policies/policiespage.h"
#include "views/rehearsals/rehearsaldialog.h"

namespace views {

PolicyController::PolicyController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
    , m_page(new PoliciesPage(window.console()))
    , m_banner(new Banner)
{
    window.addPage(m_page, tr("Policies"), ActionId::ShowPolicies);
    window.addBanner(m_banner);
    const Navigator &navigator = window.navigator();
    connect(&navigator, &Navigator::policyRequested, this, &PolicyController::open);
    connect(&navigator, &Navigator::newPolicyRequested, this, &PolicyController::addPolicy);
    connect(&navigator, &Navigator::assignmentRequested, this, &PolicyController::openAssignment);
    connect(&console().session, &models::ConsoleSession::policiesChanged, this, &PolicyController::update);
    connect(&console().session, &models::ConsoleSession::engineChanged, this, &PolicyController::update);
    connect(&console().filter, &models::ConsoleFilter::zoneChanged, this, &PolicyController::update);
    update();
}

void PolicyController::open(const QString &policy)
{
    m_window.showPage(m_page);
    m_page->choose(policy);
    m_page->focusList();
}

void PolicyController::addPolicy()
{
    m_window.showPage(m_page);
    m_page->addPolicy();
}

void PolicyController::openAssignment(const recovery::Scope &scope, const QString &words)
{
    auto *dialog = new AssignDialog(console(), {}, scope, words, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AssignDialog::policyWanted, this, &PolicyController::addPolicy);
    connect(dialog, &AssignDialog::rehearsalWanted, this,
            [this, dialog](const QString &policy, const recovery::Scope &chosen) {
                api::Rehearse rehearsal;
                rehearsal.policy = policy;
                rehearsal.retry.filter.connection = chosen.connection;
                rehearsal.retry.filter.queue = chosen.queue;
                if (chosen.group.isValid())
                    rehearsal.retry.filter.groups = {chosen.group};
                auto *opened =
                    new RehearsalDialog(console(), rehearsal, tr("Rehearsal of the policy %1").arg(policy), dialog);
                opened->setAttribute(Qt::WA_DeleteOnClose);
                opened->open();
            });
    dialog->open();
}

void PolicyController::update()
{
    const api::Snapshot &snapshot = console().session.snapshot();
    m_window.setPageNote(m_page, models::policyNote(snapshot));
    const models::PolicyNotice notice = models::policyNotice(snapshot, console().filter.zone());
    if (notice.text.isEmpty())
        m_banner->dismiss();
    else
        m_banner->show(notice.tone, notice.text, {tr("Show policy"), [this, name = notice.policy] { open(name); }});
}

} // namespace views

#include "moc_policycontroller.cpp"
