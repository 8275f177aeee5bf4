#include "views/policies/policiespage.h"

#include "models/common/visibletext.h"
#include "models/policies/policywords.h"
#include "views/common/lists/buttonrow.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/emptystate.h"
#include "views/common/lists/filterrow.h"
#include "views/common/widgets/question.h"
#include "views/policies/assigndialog.h"
#include "views/policies/policydetail.h"
#include "views/policies/policydialog.h"

#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

namespace views {

using models::PoliciesModel;

PoliciesPage::PoliciesPage(const Console &given, QWidget *parent)
    : Page(given, parent)
    , m_bar(new FilterRow)
    , m_buttons(new ButtonRow)
    , m_table(new DataTable(given.theme, -1))
    , m_list(new ListOrState(m_table))
    , m_detail(new PolicyDetail(given))
{
    setObjectName(QStringLiteral("policiesPage"));
    m_table->setObjectName(QStringLiteral("policiesTable"));
    m_table->setAccessibleName(tr("Recovery policies"));
    m_table->setModel(&m_model);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setWidths({108, 150, 0, 172, 60, 96, 92}, PoliciesModel::What);
    makeButtons();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_detail, 1);
    connect(&given.session, &models::ConsoleSession::policiesChanged, this, &PoliciesPage::update);
    connect(&given.session, &models::ConsoleSession::engineChanged, this, &PoliciesPage::update);
    connect(&given.session, &models::ConsoleSession::connectionsChanged, this, &PoliciesPage::updateButtons);
    connect(&given.session, &models::ConsoleSession::snapshotTaken, this, &PoliciesPage::showChosen); // "in 20 s"
    connect(&given.filter, &models::ConsoleFilter::zoneChanged, this, &PoliciesPage::update);
    connect(m_table, &DataTable::opened, this, &PoliciesPage::editPolicy);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PoliciesPage::showChosen);
    connect(m_table, &QWidget::customContextMenuRequested, this, &PoliciesPage::showMenu);
    connect(m_list, &ListOrState::actionRequested, this, &PoliciesPage::addPolicy);
    connect(m_detail, &PolicyDetail::assignmentWanted, this, &PoliciesPage::assign);
    update();
}

QPushButton *PoliciesPage::barButton(const QString &objectName, const QString &icon, const QString &text)
{
    auto *button = new QPushButton(console().theme.icon(icon), text);
    button->setObjectName(objectName);
    m_buttons->add(button);
    return button;
}

void PoliciesPage::makeButtons()
{
    m_pause = barButton(QStringLiteral("policyPause"), QStringLiteral("pause"), tr("Pause policy"));
    m_add = barButton(QStringLiteral("policyAdd"), QStringLiteral("plus"), tr("Add policy…"));
    m_edit = barButton(QStringLiteral("policyEdit"), QStringLiteral("edit"), tr("Edit policy…"));
    m_remove = barButton(QStringLiteral("policyRemove"), QStringLiteral("trash"), tr("Remove policy…"));
    m_bar->addButton(m_buttons);
    m_bar->finish();
    connect(m_pause, &QPushButton::clicked, this, &PoliciesPage::togglePause);
    connect(m_add, &QPushButton::clicked, this, &PoliciesPage::addPolicy);
    connect(m_edit, &QPushButton::clicked, this, &PoliciesPage::editPolicy);
    connect(m_remove, &QPushButton::clicked, this, &PoliciesPage::askToRemove);
}

void PoliciesPage::setActive(bool active)
{
    m_active = active;
    if (active)
        update();
}

void PoliciesPage::focusList()
{
    m_list->focusContent();
}

void PoliciesPage::choose(const QString &policy)
{
    update(); // it may have come with the last snapshot
    const int row = m_model.rowOf(policy);
    if (row >= 0)
        m_table->selectRow(row);
}

void PoliciesPage::resizeEvent(QResizeEvent *event)
{
    constexpr int lowBelow = 400;
    Page::resizeEvent(event);
    m_detail->setTimelineShown(height() >= lowBelow);
    fitList();
}

// The list is as high as its rows, up to two fifths of the page; the chosen policy has the rest.
void PoliciesPage::fitList()
{
    constexpr int rowHeight = 30;
    constexpr int leastRows = 3;
    const int head = m_table->horizontalHeader()->sizeHint().height() + 2;
    const int wanted = head + std::max(leastRows, m_model.rowCount()) * rowHeight;
    const int most = std::max(head + leastRows * rowHeight, height() * 2 / 5);
    m_list->setMaximumHeight(m_model.rowCount() == 0 ? QWIDGETSIZE_MAX : std::min(wanted, most));
    m_list->setMinimumHeight(m_model.rowCount() == 0 ? 0 : std::min(wanted, most));
}

QString PoliciesPage::chosen() const
{
    const int row = m_table->currentIndex().isValid() ? m_table->currentIndex().row() : -1;
    return row < 0 || row >= m_model.rowCount() ? QString() : m_model.rows().at(row).name;
}

const api::PolicyView *PoliciesPage::current() const
{
    return console().session.policy(chosen());
}

void PoliciesPage::update()
{
    const api::Snapshot &snapshot = console().session.snapshot();
    m_model.show(snapshot, console().filter.zone());
    if (m_model.rowCount() > 0)
        m_list->showList();
    else if (!console().session.hasSnapshot())
        m_list->showState(tr("Reading the policies…"), {});
    else
        m_list->showState(
            tr("Nothing is retried by itself"),
            tr("A policy retries failed messages by itself: at once, then after growing delays, and gives "
               "up in the end."),
            console().session.refusal(models::Verb::Retry).isEmpty() ? tr("Add policy…") : QString());
    if (chosen().isEmpty() && m_model.rowCount() > 0) // first the one that the banner is about
        m_table->selectRow(std::max(0, m_model.rowOf(models::policyNotice(snapshot, console().filter.zone()).policy)));
    fitList();
    const int count = m_model.rowCount();
    m_bar->setCounts(count == 0 ? QString() : tr("%1 policies", nullptr, count).arg(models::formatNumber(count)));
    showChosen();
}

void PoliciesPage::showChosen()
{
    if (m_active || m_detail->isHidden())
        m_detail->show(current());
    updateButtons();
}

void PoliciesPage::updateButtons()
{
    const models::ConsoleSession &session = console().session;
    const QString refusal = session.refusal(models::Verb::Retry);
    const api::PolicyView *policy = current();
    const QString none = policy == nullptr ? tr("Select a policy first.") : QString();
    const bool paused = policy != nullptr && policy->state == api::PolicyState::Paused;
    const auto allow = [](QPushButton *button, const QString &tip, const QString &reason) {
        button->setEnabled(reason.isEmpty());
        button->setToolTip(plainToolTip(reason.isEmpty() ? tip : reason));
    };
    const QString text = paused ? tr("Resume policy") : tr("Pause policy");
    if (m_pause->text() != text) {
        m_pause->setText(text);
        m_pause->setIcon(console().theme.icon(paused ? QStringLiteral("play") : QStringLiteral("pause")));
    }
    // Pausing needs no right.
    const QString noPause = paused ? refusal : session.refusal(models::Verb::Pause);
    allow(m_pause, paused ? tr("It goes on with what is due") : tr("It starts no retry until a person resumes it"),
          none.isEmpty() ? noPause : none);
    allow(m_add, tr("Add a policy"), refusal);
    allow(m_edit, tr("Change the policy"), none.isEmpty() ? refusal : none);
    allow(m_remove, tr("Remove the policy with its assignments"), none.isEmpty() ? refusal : none);
}

void PoliciesPage::showMenu(const QPoint &at)
{
    if (!m_table->indexAt(at).isValid())
        return;
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("policyMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    for (QPushButton *button : {m_pause, m_edit, m_remove}) {
        QAction *entry = menu->addAction(button->icon(), button->text());
        entry->setEnabled(button->isEnabled());
        entry->setToolTip(button->toolTip());
        connect(entry, &QAction::triggered, button, &QPushButton::click);
    }
    QAction *assigning = menu->addAction(console().theme.icon(QStringLiteral("policy")), tr("Assign…"));
    assigning->setEnabled(m_add->isEnabled());
    connect(assigning, &QAction::triggered, this, &PoliciesPage::assign);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void PoliciesPage::addPolicy()
{
    if (console().session.refusal(models::Verb::Retry).isEmpty())
        openDialog({});
}

void PoliciesPage::editPolicy()
{
    if (m_edit->isEnabled())
        openDialog(chosen());
}

void PoliciesPage::openDialog(const QString &name)
{
    auto *dialog = new PolicyDialog(console().session, console().theme, name, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PolicyDialog::saved, this, [this](const QString &saved) {
        choose(saved);
        Q_EMIT console().session.succeeded(tr("Saved the policy %1.").arg(models::visibleLine(saved)));
    });
    dialog->open();
}

void PoliciesPage::togglePause()
{
    if (const api::PolicyView *policy = current())
        console().session.pausePolicy(policy->name, policy->state != api::PolicyState::Paused);
}

void PoliciesPage::assign()
{
    auto *dialog = new AssignDialog(console(), chosen(), {}, {}, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void PoliciesPage::askToRemove()
{
    const api::PolicyView *policy = current();
    if (policy == nullptr)
        return;
    const QString name = policy->name;
    Question question;
    question.name = QStringLiteral("removePolicy");
    question.title = tr("Remove policy");
    question.text = tr("Remove the policy %1?").arg(models::visibleLine(name));
    question.consequences =
        tr("It holds %1 messages. They stay unresolved, and nothing retries them by itself. Retries that it has "
           "started continue.",
           nullptr, int(policy->held()))
            .arg(models::formatNumber(policy->held()));
    question.action = tr("Remove policy");
    askQuestion(question, this, [this, name] { console().session.removePolicy(name); });
}

} // namespace views

#include "moc_policiespage.cpp"
