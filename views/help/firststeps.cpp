#include "views/help/firststeps.h"

#include "views/common/theme/styleproperty.h"

#include <QAction>
#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>

namespace views {

namespace {

const QString stateKey = QStringLiteral("firstSteps");
const QByteArray ended = QByteArrayLiteral("ended");

// Which steps are done, as far as the engine knows.
std::array<bool, FirstSteps::count> doneIn(const api::Snapshot &snapshot)
{
    const bool hasRetries = !snapshot.operations.isEmpty();
    const bool hasMessages = hasRetries || snapshot.unresolvedTotal > 0;
    return {hasMessages || !snapshot.connections.isEmpty(), hasMessages, hasRetries};
}

std::array<QString, FirstSteps::count> stepNames()
{
    return {FirstSteps::tr("Connect a broker"), FirstSteps::tr("Take failed messages"),
            FirstSteps::tr("Retry a failure group")};
}

} // namespace

FirstSteps::FirstSteps(const Console &console, Preferences &preferences, const std::array<QAction *, count> &actions,
                       QWidget *parent)
    : QWidget(parent)
    , m_session(console.session)
    , m_preferences(preferences)
{
    setObjectName(QStringLiteral("firstSteps"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(10, 5, 8, 5);
    row->addWidget(new PlainLabel(tr("First steps:")));
    for (size_t i = 0; i < count; ++i) {
        m_steps.at(i) = new QPushButton(stepNames().at(i));
        m_steps.at(i)->setObjectName(QStringLiteral("firstStep%1").arg(i + 1));
        connect(m_steps.at(i), &QPushButton::clicked, actions.at(i), &QAction::trigger);
        row->addWidget(m_steps.at(i));
    }
    row->addStretch(1);
    auto *close = new QPushButton(tr("Do not show again"));
    close->setObjectName(QStringLiteral("firstStepsClose"));
    connect(close, &QPushButton::clicked, this, &FirstSteps::end);
    row->addWidget(close);
    setVisible(false);
    connect(&m_session, &models::ConsoleSession::snapshotTaken, this, &FirstSteps::update);
}

void FirstSteps::offer()
{
    m_isOpen = m_preferences.state(stateKey) != ended;
    update();
}

void FirstSteps::open()
{
    m_isOpen = true;
    m_isRepeated = true;
    update();
}

void FirstSteps::update()
{
    if (!m_isOpen || !m_session.hasSnapshot()) // without a snapshot nobody knows what is done
        return;
    const std::array<bool, count> done = doneIn(m_session.snapshot());
    if (done.back() && !m_isRepeated)
        return end();
    const std::array<QString, count> tips{
        tr("Adding a connection takes nothing from the broker (Ctrl+N)."),
        tr("Select an error queue at the left, then take its messages (Ctrl+T)."),
        tr("Select a failure group, then look at the plan (Ctrl+R). Nothing is sent before you confirm it.")};
    bool isNext = true;
    for (size_t i = 0; i < count; ++i) {
        const QString mark = done.at(i) ? QStringLiteral("\u2713") : QString::number(i + 1);
        m_steps.at(i)->setText(QStringLiteral("%1  %2").arg(mark, withoutMnemonics(stepNames().at(i))));
        m_steps.at(i)->setToolTip(plainToolTip(tips.at(i)));
        m_steps.at(i)->setAccessibleDescription(done.at(i) ? tr("done") : tips.at(i));
        setStyleProperty(m_steps.at(i), "primary", isNext && !done.at(i));
        isNext = isNext && done.at(i);
    }
    setVisible(true);
}

void FirstSteps::end()
{
    m_preferences.setState(stateKey, ended);
    m_isOpen = false;
    m_isRepeated = false;
    if (isAncestorOf(QApplication::focusWidget()))
        Q_EMIT keysLeft();
    setVisible(false);
}

} // namespace views

#include "moc_firststeps.cpp"
