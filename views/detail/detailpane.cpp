#include "views/detail/detailpane.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/lists/emptystate.h"
#include "views/detail/policystrip.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QPushButton>
#include <QTabBar>
#include <QVBoxLayout>

namespace views {

namespace {

QString titleOf(const records::FailedMessage &message)
{
    const QString type = models::visibleLine(message.failure.exceptionType.section(QLatin1Char('.'), -1));
    const QString what = models::visibleLine(message.failure.exceptionMessage, 120);
    if (type.isEmpty())
        return what.isEmpty() ? DetailPane::tr("No exception recorded") : what;
    return what.isEmpty() ? type : type + QStringLiteral(": ") + what;
}

// When the broker removes the original from its queue; empty: the broker gives no expiry time.
QString lossSentence(const records::Expiry &expiry, core::TimePoint now)
{
    switch (expiry.known) {
    case records::Expiry::Known::No:
        return {};
    case records::Expiry::Known::Never:
        return DetailPane::tr("It does not expire.");
    case records::Expiry::Known::At:
    case records::Expiry::Known::Latest:
        break;
    }
    if (expiry.at <= now)
        return DetailPane::tr("It has expired and should no longer be in its queue.");
    const QString in = models::formatRelative(expiry.at, now);
    return expiry.known == records::Expiry::Known::Latest ? DetailPane::tr("It expires %1 at the latest.").arg(in)
                                                          : DetailPane::tr("It expires %1.").arg(in);
}

bool isBrowsedOnly(const api::MessageDetail &detail)
{
    return detail.message.flags.testFlag(records::MessageFlag::BrowsedOnly);
}

} // namespace

DetailPane::DetailPane(const Console &console, QWidget *parent)
    : QWidget(parent)
    , m_console(console)
    , m_feed(console.session)
    , m_title(new PlainLabel)
    , m_policy(new PolicyStrip(console))
    , m_tabs(new QTabBar)
    , m_stack(new QStackedWidget)
    , m_body(nullptr)
    , m_stackTab(new StackTab(console))
    , m_headersTab(new HeadersTab(console, m_feed))
    , m_bodyTab(new BodyTab(console, m_feed))
    , m_attempts(new TimelineTab(console, tr("Attempts")))
    , m_trail(new TimelineTab(console, tr("Trail")))
    , m_retry(new QPushButton(tr("Retry")))
    , m_edit(new QPushButton(tr("Edit…")))
    , m_archive(new QPushButton(console.theme.icon(QStringLiteral("archive")), {}))
    , m_copy(new QPushButton(console.theme.icon(QStringLiteral("copy")), {}))
{
    setObjectName(QStringLiteral("detailPane"));
    setMinimumWidth(318);
    makeTabs();
    makeButtons();
    connect(&m_feed, &models::DetailFeed::changed, this, &DetailPane::update);
    connect(&console.filter, &models::ConsoleFilter::zoneChanged, this, &DetailPane::update);
    connect(m_policy, &PolicyStrip::retryWanted, this, &DetailPane::retry);
    connect(&console.session, &models::ConsoleSession::engineChanged, this, &DetailPane::updateButtons);
    connect(&console.session, &models::ConsoleSession::connectionsChanged, this, &DetailPane::updateButtons);
    update();
}

void DetailPane::addTab(const QString &name, QWidget *tab)
{
    m_tabs->addTab(name);
    m_stack->addWidget(tab);
}

void DetailPane::makeTabs()
{
    m_title->setObjectName(QStringLiteral("detailTitle"));
    m_title->setWordWrap(true);
    m_tabs->setObjectName(QStringLiteral("detailTabs"));
    m_tabs->setAccessibleName(tr("Message details"));
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(false);
    addTab(tr("Stack trace"), m_stackTab);
    addTab(tr("Headers"), m_headersTab);
    addTab(tr("Body"), m_bodyTab);
    addTab(tr("Attempts"), m_attempts);
    addTab(tr("Trail"), m_trail);
    connect(m_tabs, &QTabBar::currentChanged, m_stack, &QStackedWidget::setCurrentIndex);

    auto *head = new QWidget;
    head->setObjectName(QStringLiteral("detailHead"));
    auto *headLayout = new QVBoxLayout(head);
    headLayout->setContentsMargins(10, 9, 10, 9);
    headLayout->addWidget(m_title);
    auto *strip = new QWidget;
    strip->setObjectName(QStringLiteral("tabStrip"));
    auto *stripLayout = new QHBoxLayout(strip);
    stripLayout->setContentsMargins(0, 0, 0, 0);
    stripLayout->addWidget(m_tabs, 1);
    auto *content = new QWidget;
    auto *contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    contentLayout->addWidget(head);
    contentLayout->addWidget(m_policy);
    contentLayout->addWidget(strip);
    contentLayout->addWidget(m_stack, 1);
    m_body = new ListOrState(content);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_body, 1);
}

void DetailPane::makeButtons()
{
    auto *row = new QWidget;
    row->setObjectName(QStringLiteral("buttonRow"));
    auto *rowLayout = new QHBoxLayout(row);
    rowLayout->setContentsMargins(8, 6, 8, 6);
    m_retry->setObjectName(QStringLiteral("retryThis"));
    m_retry->setAccessibleName(tr("Retry this message"));
    m_edit->setObjectName(QStringLiteral("editThis"));
    m_edit->setAccessibleName(tr("Edit and retry this message"));
    m_archive->setObjectName(QStringLiteral("archiveThis"));
    m_copy->setObjectName(QStringLiteral("copyThis"));
    m_archive->setAccessibleName(tr("Archive this message"));
    m_copy->setAccessibleName(tr("Copy from this message"));
    m_copy->setToolTip(plainToolTip(m_copy->accessibleName()));
    rowLayout->addWidget(m_retry);
    rowLayout->addWidget(m_edit);
    rowLayout->addWidget(m_archive);
    rowLayout->addWidget(m_copy);
    rowLayout->addStretch(1);
    layout()->addWidget(row);
    copyMenu();
    connect(m_retry, &QPushButton::clicked, this, &DetailPane::retry);
    connect(m_edit, &QPushButton::clicked, this, &DetailPane::edit);
    connect(m_archive, &QPushButton::clicked, this, &DetailPane::archive);
}

void DetailPane::copyMenu()
{
    auto *menu = new QMenu(m_copy);
    const auto add = [&](const QString &text, auto make) {
        connect(menu->addAction(text), &QAction::triggered, this, [this, make] {
            if (m_feed.detail())
                QGuiApplication::clipboard()->setText(make(*m_feed.detail()));
        });
    };
    add(tr("Message ID"), [](const api::MessageDetail &detail) {
        return detail.message.messageId.isEmpty() ? detail.message.uniqueId : detail.message.messageId;
    });
    add(tr("Message type"), [](const api::MessageDetail &detail) { return detail.message.messageType; });
    add(tr("Stack trace"), [](const api::MessageDetail &detail) { return detail.message.failure.stackTrace; });
    add(tr("Headers"), [this](const api::MessageDetail &) { return m_feed.headers()->asText(); });
    add(tr("Body"), [](const api::MessageDetail &detail) { return QString::fromUtf8(detail.envelope.body); });
    m_copy->setProperty("popup", true);
    m_copy->setMenu(menu);
}

void DetailPane::setActive(bool active)
{
    m_feed.setActive(active);
}

void DetailPane::show(core::MessageId id)
{
    m_feed.show(id);
}

void DetailPane::showNewestOf(const models::ActionScope &group)
{
    m_feed.showNewestOf(group);
}

void DetailPane::reload()
{
    m_feed.reload();
}

void DetailPane::focusTabs()
{
    m_tabs->setFocus(Qt::ShortcutFocusReason);
}

void DetailPane::focusHeaderFilter()
{
    m_tabs->setCurrentIndex(m_stack->indexOf(m_headersTab));
    m_headersTab->focusFilter();
}

void DetailPane::retry()
{
    if (retryRefusal().isEmpty() && !scope().isEmpty())
        m_console.session.retryDirectly(scope());
}

void DetailPane::edit()
{
    if (editRefusal().isEmpty())
        Q_EMIT m_console.navigator.editRequested(scope());
}

void DetailPane::archive()
{
    Q_EMIT m_console.navigator.archiveRequested(scope());
}

QString DetailPane::browsedOnly() const
{
    QString reason =
        tr("This message was browsed only: the original is still in its queue. Only a taken message can be retried, "
           "edited or archived.");
    const QString noTake = m_console.session.refusal(models::Verb::Take, m_feed.detail()->message.connection);
    if (!noTake.isEmpty())
        reason += QLatin1Char(' ') + tr("It cannot be taken: %1").arg(noTake);
    const QString loss = lossSentence(m_feed.detail()->expiry, m_console.session.snapshot().at);
    if (!loss.isEmpty())
        reason += QLatin1Char(' ') + loss;
    return reason;
}

QString DetailPane::retryRefusal() const
{
    const std::optional<api::MessageDetail> &detail = m_feed.detail();
    if (!detail)
        return tr("No message is shown.");
    const QString reason = m_console.session.refusal(models::Verb::Retry, detail->message.connection);
    if (!reason.isEmpty())
        return reason;
    if (detail->message.status != records::MessageStatus::Unresolved)
        return tr("Only an unresolved message can be retried.");
    if (isBrowsedOnly(*detail))
        return browsedOnly();
    return {};
}

QString DetailPane::editRefusal() const
{
    const QString noRetry = retryRefusal();
    return noRetry.isEmpty() ? m_console.session.refusal(models::Verb::Edit, m_feed.detail()->message.connection)
                             : noRetry;
}

void DetailPane::update()
{
    const std::optional<api::MessageDetail> &detail = m_feed.detail();
    updateButtons();
    if (!detail) {
        if (!m_feed.error().isEmpty())
            m_body->showState(tr("The message could not be read"), m_feed.error());
        else
            m_body->showState(tr("No message selected"), tr("Select a group or a message to see why it failed."));
        return;
    }
    m_title->setText(titleOf(detail->message));
    m_stackTab->present(*detail);
    m_bodyTab->present();
    const core::TimePoint now = m_console.session.snapshot().at;
    m_attempts->model().showAttempts(detail->attempts, now);
    m_trail->model().showTrail(detail->trail, now);
    m_body->showList();
    Q_EMIT shownChanged();
}

void DetailPane::updateButtons()
{
    const std::optional<api::MessageDetail> &detail = m_feed.detail();
    const QString noRetry = retryRefusal();
    m_retry->setEnabled(noRetry.isEmpty());
    m_retry->setToolTip(plainToolTip(noRetry.isEmpty() ? m_retry->accessibleName() : noRetry));
    const QString noEdit = editRefusal();
    m_edit->setEnabled(noEdit.isEmpty());
    m_edit->setToolTip(plainToolTip(noEdit.isEmpty() ? tr("Edit and retry this message") : noEdit));
    QString noArchive = tr("No message is shown.");
    if (detail) {
        noArchive = m_console.session.refusal(models::Verb::Archive, detail->message.connection);
        if (noArchive.isEmpty() && detail->message.status != records::MessageStatus::Unresolved)
            noArchive = tr("Only an unresolved message can be archived.");
        if (noArchive.isEmpty() && isBrowsedOnly(*detail))
            noArchive = browsedOnly();
    }
    m_archive->setEnabled(noArchive.isEmpty());
    m_archive->setToolTip(plainToolTip(noArchive.isEmpty() ? m_archive->accessibleName() : noArchive));
    m_copy->setEnabled(detail.has_value());
    if (detail)
        m_policy->present(*detail, noRetry);
}

} // namespace views

#include "moc_detailpane.cpp"
