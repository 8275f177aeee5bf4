#include "views/help/helpkey.h"

#include "views/help/helpdialog.h"

#include <QApplication>
#include <QHash>
#include <QKeyEvent>

namespace views {

namespace {

constexpr auto windowTopic = "window";

// The topic of each page, pane and dialog, by its class. tests/lint/helptopics.py compares this with the classes that exist
// and with the topics of the man page.
const QHash<QByteArray, const char *> &topics()
{
    static const QHash<QByteArray, const char *> table{
        {"views::ActivityPane", "activity"},
        {"views::AssignDialog", "policies"},
        {"views::CloseQuestion", "retries"},
        {"views::CommandPalette", "window"},
        {"views::ConnectionDialog", "connections"},
        {"views::ConventionDialog", "conventions"},
        {"views::ConventionsDialog", "conventions"},
        {"views::DecisionQuestion", "decisions"},
        {"views::DetailPane", "message"},
        {"views::DetailPlace", "message"},
        {"views::DoubtDialog", "doubt"},
        {"views::EditDialog", "edit"},
        {"views::ErrorQueuesDialog", "queues"},
        {"views::ExpiryDialog", "expiry"},
        {"views::GroupsPage", "groups"},
        {"views::HelpDialog", "window"},
        {"views::ImportDialog", "transfer"},
        {"views::MessagesPage", "messages"},
        {"views::MoveDialog", "moves"},
        {"views::PipelineDialog", "pipelines"},
        {"views::PipelinesPage", "pipelines"},
        {"views::PlanDialog", "plan"},
        {"views::PoliciesPage", "policies"},
        {"views::PolicyDialog", "policies"},
        {"views::QueuesPane", "queues"},
        {"views::RedirectsDialog", "moves"},
        {"views::RehearsalDialog", "rehearsal"},
        {"views::RetriesPage", "retries"},
        {"views::ReturnsDialog", "returns"},
        {"views::SettingsDialog", "settings"},
        {"views::ShortcutsDialog", "window"},
        {"views::TakeQuestion", "take"},
        {"views::ValueQuestion", "conventions"},
    };
    return table;
}

} // namespace

HelpKey::HelpKey(QObject *parent)
    : QObject(parent)
{
    QCoreApplication::instance()->installEventFilter(this);
}

QString HelpKey::topicOf(const QWidget *widget)
{
    for (const QWidget *one = widget; one != nullptr; one = one->parentWidget()) {
        const auto found = topics().constFind(one->metaObject()->className());
        if (found != topics().cend())
            return QString::fromLatin1(*found);
        if (one->isWindow()) // what its parent shows is another window
            break;
    }
    return QString::fromLatin1(windowTopic);
}

void HelpKey::openFor(QWidget *widget)
{
    open(topicOf(widget), widget == nullptr ? nullptr : widget->window());
}

// A modal dialog takes no input beside itself, so the help belongs to the window that is in use.
void HelpKey::open(const QString &topic, QWidget *window)
{
    if (m_dialog != nullptr && m_dialog->parentWidget() != window)
        m_dialog->close();
    if (m_dialog == nullptr || m_dialog->parentWidget() != window)
        m_dialog = new HelpDialog(window);
    m_dialog->showTopic(topic);
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

bool HelpKey::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !watched->isWidgetType())
        return false;
    const auto *const key = static_cast<QKeyEvent *>(event);
    if (key->key() != Qt::Key_F1 || key->modifiers() != Qt::NoModifier)
        return false;
    auto *const widget = static_cast<QWidget *>(watched);
    if (qobject_cast<HelpDialog *>(widget->window()) == nullptr)
        openFor(widget);
    return true;
}

} // namespace views

#include "moc_helpkey.cpp"
