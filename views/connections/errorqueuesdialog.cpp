#include "views/connections/errorqueuesdialog.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QCheckBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

namespace {

constexpr int errorQueuesWidth = 560;
constexpr int reasonIndent = 24;

QString reasonsText(const QString &text, const QStringList &reasons)
{
    QStringList words;
    for (const QString &one : reasons)
        words.append(models::visibleLine(one));
    return text.arg(words.join(QStringLiteral("; ")));
}

} // namespace

ErrorQueuesDialog::ErrorQueuesDialog(About about, const QString &connection, const QList<api::CandidateQueue> &queues,
                                     QWidget *parent)
    : QDialog(parent)
    , m_about(about)
{
    setObjectName(QStringLiteral("errorQueuesDialog"));
    setModal(true);
    setWindowTitle(m_about == About::AddAndTake ? tr("Add an error queue") : tr("Error queues"));
    frameDialog(*this, {nullptr, makeBody(models::visibleLine(connection), queues), makeFoot()});
    refresh();
    fitDialog(*this, errorQueuesWidth);
}

QWidget *ErrorQueuesDialog::makeBody(const QString &connection, const QList<api::CandidateQueue> &queues)
{
    auto *body = new QWidget(this);
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto *words = new PlainLabel(sentence(connection), body);
    words->setObjectName(QStringLiteral("errorQueuesSentence"));
    words->setWordWrap(true);
    column->addWidget(words);
    for (const api::CandidateQueue &queue : queues)
        column->addWidget(makeQueue(queue));
    column->addStretch(1);
    return body;
}

QWidget *ErrorQueuesDialog::makeQueue(const api::CandidateQueue &queue)
{
    auto *whole = new QWidget(this);
    auto *column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    const QString name = models::visibleLine(queue.name);
    const QString text =
        queue.depth ? tr("%1 (%2 messages)", nullptr, int(*queue.depth)).arg(name, models::formatNumber(*queue.depth))
                    : tr("%1 (message count unknown)").arg(name);
    auto *box = new QCheckBox(withoutMnemonics(text), whole);
    box->setObjectName(QStringLiteral("candidate"));
    box->setChecked(records::isRecommended(queue.facts));
    connect(box, &QCheckBox::toggled, this, &ErrorQueuesDialog::refresh);
    column->addWidget(box);
    m_names.append(queue.name);
    m_boxes.append(box);
    const auto addReasons = [&](const QString &reasonText, const QStringList &reasons, const char *tone) {
        if (reasons.isEmpty())
            return;
        auto *label = new PlainLabel(reasonsText(reasonText, reasons), whole);
        label->setProperty("tone", QString::fromLatin1(tone));
        label->setWordWrap(true);
        label->setIndent(reasonIndent);
        column->addWidget(label);
        box->setAccessibleDescription(
            QStringList{box->accessibleDescription(), label->text()}.join(QLatin1Char(' ')).trimmed());
    };
    addReasons(tr("For: %1"), api::reasonsFor(queue.facts), "muted");
    addReasons(tr("Against: %1"), api::reasonsAgainst(queue.facts), "warn");
    if (queue.facts.isEmpty())
        addReasons(tr("Against: %1"), {tr("no dead letters are known to arrive here")}, "warn");
    return whole;
}

QString ErrorQueuesDialog::sentence(const QString &connection) const
{
    switch (m_about) {
    case About::Offer:
        return tr("Dead letters arrive in these queues of %1. Check the ones that hold failed messages: Redrive takes "
                  "messages only from error queues. Leave the ones with messages that a service still works on.")
            .arg(connection);
    case About::TakenBefore:
        return tr("Earlier versions of Redrive took messages from these queues of %1 by themselves. They may hold live "
                  "work. "
                  "Check the ones that hold failed messages. Until you decide, nothing is taken from them.")
            .arg(connection);
    case About::AddAndTake:
        return tr("This queue is not an error queue of %1. If it holds only failed messages, add it. Redrive then "
                  "takes its "
                  "messages, and a service that consumes it no longer gets them.")
            .arg(connection);
    }
    return {};
}

DialogFoot *ErrorQueuesDialog::makeFoot()
{
    auto *foot = new DialogFoot(this);
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("errorQueuesCancel"),
                                               m_about == About::TakenBefore ? tr("Decide later") : tr("Cancel"));
    // What is taken from a queue of live work was perhaps about to be processed.
    m_choose = foot->addPrimary(QStringLiteral("errorQueuesChoose"), {}, DialogFoot::Act::CannotBeUndone);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_choose, &QPushButton::clicked, this, &ErrorQueuesDialog::choose);
    if (m_about == About::AddAndTake) { // the person has chosen the queue already
        for (QCheckBox *box : std::as_const(m_boxes))
            box->setChecked(true);
    }
    return foot;
}

void ErrorQueuesDialog::refresh()
{
    if (m_choose == nullptr)
        return;
    const auto count =
        std::count_if(m_boxes.cbegin(), m_boxes.cend(), [](const QCheckBox *box) { return box->isChecked(); });
    m_choose->setEnabled(count > 0 || m_about == About::TakenBefore);
    if (m_about == About::AddAndTake)
        m_choose->setText(tr("Add as an error queue and take…"));
    else if (count == 0)
        m_choose->setText(tr("Take from none"));
    else
        m_choose->setText(tr("Take from %1 queues", nullptr, int(count)).arg(models::formatNumber(count)));
}

void ErrorQueuesDialog::choose()
{
    QStringList take;
    QStringList leave;
    for (qsizetype i = 0; i < m_boxes.size(); ++i)
        (m_boxes.at(i)->isChecked() ? take : leave).append(m_names.at(i));
    accept();
    Q_EMIT chosen(take, leave);
}

} // namespace views

#include "moc_errorqueuesdialog.cpp"
