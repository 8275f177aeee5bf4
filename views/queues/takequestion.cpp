#include "views/queues/takequestion.h"

#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>
#include <QSysInfo>

namespace views {

namespace {

constexpr int takeQuestionWidth = 520;
constexpr int largestLimit = 1'000'000;
constexpr int firstOffer = 100;

template<typename Use>
void forEachQueue(const api::Snapshot &snapshot, core::ConnectionId connection, const QString &queue, Use use)
{
    for (const api::QueueView &view : snapshot.queues) {
        const bool asked = queue.isEmpty() ? view.holdsFailed : view.name == queue;
        if (view.connection == connection && asked)
            use(view);
    }
}

} // namespace

bool TakeQuestion::isNeeded(const api::Snapshot &snapshot, core::ConnectionId connection, const QString &queue)
{
    for (const api::ConnectionView &view : snapshot.connections) {
        if (view.connection.id == connection && view.connection.environment == records::Environment::Production)
            return true;
    }
    bool first = false;
    forEachQueue(snapshot, connection, queue, [&first](const api::QueueView &view) {
        first = first || (view.unresolved == view.browsedOnly && !view.subscribed);
    });
    return first;
}

void TakeQuestion::ask(models::ConsoleSession &session, core::ConnectionId connection, const QString &queue,
                       QWidget *parent)
{
    if (!isNeeded(session.snapshot(), connection, queue)) {
        session.takeNow(connection, queue, std::nullopt);
        return;
    }
    auto *question = new TakeQuestion(session, connection, queue, parent);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->open();
}

TakeQuestion::TakeQuestion(models::ConsoleSession &session, core::ConnectionId connection, QString queue,
                           QWidget *parent)
    : QDialog(parent)
    , m_session(session)
    , m_connection(connection)
    , m_queue(std::move(queue))
{
    setObjectName(QStringLiteral("takeQuestion"));
    setWindowTitle(tr("Take failed messages"));
    frameDialog(*this, {nullptr, makeBody(), makeFoot()});
    refresh();
    fitDialog(*this, takeQuestionWidth);
}

QWidget *TakeQuestion::makeBody()
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *words = new PlainLabel(sentence(), body);
    words->setObjectName(QStringLiteral("takeSentence"));
    words->setWordWrap(true);
    m_all = new QRadioButton(tr("All messages"), body);
    m_all->setObjectName(QStringLiteral("takeAll"));
    m_all->setChecked(true);
    m_first = new QRadioButton(tr("Only the first"), body);
    m_first->setObjectName(QStringLiteral("takeFirst"));
    m_limit = new QSpinBox(body);
    m_limit->setObjectName(QStringLiteral("takeLimit"));
    m_limit->setAccessibleName(tr("Number of messages to take"));
    m_limit->setRange(1, largestLimit);
    m_limit->setGroupSeparatorShown(true);
    m_limit->setValue(int(std::min<qint64>(firstOffer, std::max<qint64>(1, waiting().value_or(firstOffer)))));
    connect(m_all, &QRadioButton::toggled, this, &TakeQuestion::refresh);
    connect(m_limit, &QSpinBox::valueChanged, this, [this] {
        m_first->setChecked(true);
        refresh();
    });
    auto *choice = new QHBoxLayout;
    choice->addWidget(m_all);
    choice->addWidget(m_first);
    choice->addWidget(m_limit);
    choice->addStretch(1);
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(10);
    layout->addWidget(words);
    layout->addLayout(choice);
    layout->addStretch(1);
    return body;
}

DialogFoot *TakeQuestion::makeFoot()
{
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("takeCancel"), tr("Cancel"));
    m_take = foot->addPrimary(QStringLiteral("takeButton"), {}, DialogFoot::Act::CanBeUndone); // by a release
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_take, &QPushButton::clicked, this, &TakeQuestion::take);
    return foot;
}

std::optional<qint64> TakeQuestion::waiting() const
{
    std::optional<qint64> all;
    forEachQueue(m_session.snapshot(), m_connection, m_queue, [&all](const api::QueueView &view) {
        if (view.depth)
            all = all.value_or(0) + *view.depth;
    });
    return all;
}

QString TakeQuestion::sentence() const
{
    const api::ConnectionView *view = m_session.connection(m_connection);
    const QString name = view == nullptr ? QString() : models::visibleLine(view->connection.name);
    const QString environment = view == nullptr ? QString() : models::textOf(view->connection.environment);
    const QString from = m_queue.isEmpty()
                             ? tr("all error queues of %1 (%2)").arg(name, environment)
                             : tr("queue %1 on %2 (%3)").arg(models::visibleLine(m_queue), name, environment);
    const std::optional<qint64> there = waiting();
    const QString howMany =
        there ? tr("%1 failed messages wait in %2.", nullptr, int(*there)).arg(models::formatNumber(*there), from)
              : tr("The number of failed messages in %1 is unknown.").arg(from);
    const QString where =
        tr("Taking moves messages from the broker to the store %1 on %2. They stay there until you retry or release "
           "them.")
            .arg(models::visibleLine(m_session.snapshot().storePath), models::visibleLine(QSysInfo::machineHostName()));
    const QString later =
        tr("This does not take messages that fail later. To keep taking messages, subscribe to the queue.");
    QStringList parts{howMany, where, wayBackText(), limitText(), diskText(), foreignText(), later};
    parts.removeAll(QString());
    return parts.join(QStringLiteral("\n\n"));
}

QString TakeQuestion::wayBackText() const
{
    QStringList lines;
    int others = 0;
    forEachQueue(m_session.snapshot(), m_connection, m_queue, [&](const api::QueueView &view) {
        if (view.noWayBack.isEmpty() || (m_queue.isEmpty() && view.depth == qint64{0}))
            return;
        if (lines.size() == 3)
            ++others;
        else
            lines.append(models::visibleLine(view.noWayBack));
    });
    if (lines.isEmpty())
        return {};
    if (others > 0)
        lines.append(tr("The same holds for %1 more.").arg(others));
    lines.append(
        tr("What is taken from there cannot be put back: a release puts it into another queue, which you choose "
           "then."));
    return lines.join(QLatin1Char(' '));
}

QString TakeQuestion::limitText() const
{
    QStringList lines;
    forEachQueue(m_session.snapshot(), m_connection, m_queue, [&lines](const api::QueueView &view) {
        if (!view.deliveryLimit)
            return;
        const QString refusal = records::takingRefusal(*view.deliveryLimit, view.deliveriesUsed, view.name);
        const QString risk = records::takingRisk(*view.deliveryLimit, view.deliveriesUsed);
        lines.append(
            refusal.isEmpty()
                ? tr("%1 has a delivery limit. %2").arg(models::visibleLine(view.name), models::visibleLine(risk))
                : models::visibleLine(refusal));
    });
    return lines.join(QLatin1Char('\n'));
}

// Beside the message itself the store holds its parsed headers, its attempt and its index entries.
QString TakeQuestion::diskText() const
{
    constexpr qint64 besideMessage = 2048;
    const std::optional<qint64> free = m_session.snapshot().diskFree;
    if (!free)
        return {};
    qint64 needed = 0;
    bool known = true;
    forEachQueue(m_session.snapshot(), m_connection, m_queue, [&](const api::QueueView &view) {
        const qint64 depth = view.depth.value_or(0);
        known = known && view.depth && (depth == 0 || view.averageBytes > 0);
        needed += depth * (view.averageBytes + besideMessage);
    });
    if (!known)
        return tr("The disk space they need is unknown; %1 is free.").arg(models::formatSize(*free));
    if (needed > *free)
        return tr("They need about %1 of disk space, but only %2 is free. Free some space, or take fewer messages.")
            .arg(models::formatSize(needed), models::formatSize(*free));
    return tr("They need about %1 of disk space; %2 is free.")
        .arg(models::formatSize(needed), models::formatSize(*free));
}

QString TakeQuestion::foreignText() const
{
    const api::ConnectionView *view = m_session.connection(m_connection);
    if (view == nullptr || view->foreignQueues.isEmpty())
        return {};
    QStringList names;
    for (const QString &name : view->foreignQueues)
        names.append(models::visibleLine(name));
    return tr("Another console keeps messages in its own queues on this broker: %1. Redrive does not take messages "
              "from these "
              "queues. If messages are missing, check these queues first.")
        .arg(names.join(QStringLiteral(", ")));
}

std::optional<qint64> TakeQuestion::limit() const
{
    return m_all->isChecked() ? std::nullopt : std::optional<qint64>(m_limit->value());
}

void TakeQuestion::refresh()
{
    const std::optional<qint64> there = waiting();
    if (limit())
        m_take->setText(tr("Take %1 messages", nullptr, int(*limit())).arg(models::formatNumber(*limit())));
    else if (there)
        m_take->setText(tr("Take all %1 messages", nullptr, int(*there)).arg(models::formatNumber(*there)));
    else
        m_take->setText(tr("Take all messages"));
}

void TakeQuestion::take()
{
    m_session.takeNow(m_connection, m_queue, limit());
    accept();
}

} // namespace views

#include "moc_takequestion.cpp"
