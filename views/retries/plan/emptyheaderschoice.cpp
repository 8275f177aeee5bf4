#include "views/retries/plan/emptyheaderschoice.h"

#include "models/common/formatters.h"
#include "models/common/visibletext.h"
#include "views/common/widgets/plaintext.h"
#include "views/common/widgets/question.h"

#include <QHBoxLayout>
#include <QPushButton>

namespace views {

namespace {

// "x-tenant: 60"
QString headersText(const api::EmptyHeaders &found)
{
    constexpr qsizetype mostShown = 20;
    QStringList lines;
    for (const api::EmptyHeader &header : found.headers.mid(0, mostShown))
        lines.append(EmptyHeadersChoice::tr("%1: %2 messages", nullptr, int(header.count))
                         .arg(models::visibleLine(header.name), models::formatNumber(header.count)));
    if (found.headers.size() > mostShown)
        lines.append(QStringLiteral("…"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

EmptyHeadersChoice::EmptyHeadersChoice(models::RetryPlan &plan, models::ConsoleSession &session, QWidget *parent)
    : QWidget(parent)
    , m_plan(plan)
    , m_session(session)
    , m_words(new PlainLabel({}, this))
    , m_send(new QPushButton(this))
{
    m_words->setObjectName(QStringLiteral("emptyHeadersWords"));
    m_words->setWordWrap(true);
    m_words->setProperty("tone", QStringLiteral("warn"));
    m_send->setObjectName(QStringLiteral("emptyHeadersSend"));
    m_send->setAutoDefault(false);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(10);
    row->addWidget(m_words, 1);
    row->addWidget(m_send);
    connect(m_send, &QPushButton::clicked, this, &EmptyHeadersChoice::press);
}

// Reading that nobody waits for any more would keep the engine at work for nothing.
EmptyHeadersChoice::~EmptyHeadersChoice()
{
    if (!m_applying)
        return;
    m_applying->disconnect(this);
    m_applying->cancel();
}

bool EmptyHeadersChoice::hasWords() const
{
    return m_applying || m_plan.preview().emptyHeaders > 0 || !m_error.isEmpty();
}

void EmptyHeadersChoice::refresh()
{
    if (m_applying) {
        m_words->setText(m_applying->text());
        if (m_applying->isShown())
            m_send->setText(tr("Cancel"));
        m_send->setEnabled(m_applying->canCancel());
        return;
    }
    const qint64 count = m_plan.preview().emptyHeaders;
    const QString number = models::formatNumber(count);
    const QString words =
        tr("%1 have empty headers that the interface of this broker cannot send back.", nullptr, int(count))
            .arg(number);
    m_words->setText(m_error.isEmpty() ? words : m_error);
    m_send->setText(tr("Send these %1 without them…", nullptr, int(count)).arg(number));
    m_send->setVisible(count > 0);
    m_send->setEnabled(m_plan.isPreviewed());
}

void EmptyHeadersChoice::press()
{
    if (m_applying)
        m_applying->cancel();
    else
        find();
}

void EmptyHeadersChoice::find()
{
    const api::FindEmptyHeaders question{m_plan.draft().filter};
    m_session.ask(this, question, [this](const core::Result<api::EmptyHeaders> &found) {
        if (found)
            askFor(*found);
        else
            tell(found.error().message);
    });
}

void EmptyHeadersChoice::askFor(const api::EmptyHeaders &found)
{
    if (found.messages == 0)
        return m_plan.freezeAgain();
    Question question;
    question.name = QStringLiteral("emptyHeadersQuestion");
    question.title = tr("Empty headers");
    question.text = tr("Send %1 messages without their empty headers?", nullptr, int(found.messages))
                        .arg(models::formatNumber(found.messages));
    question.consequences =
        headersText(found) + QStringLiteral("\n\n")
        + tr("If the application tells an empty header from a missing one, it may treat these messages otherwise. "
             "Redrive remembers this as a convention.");
    question.action = tr("Send without them");
    question.act = DialogFoot::Act::CanBeUndone; // nothing is sent yet, and the convention can be removed
    askQuestion(question, this, [this, found] { set(found); });
}

void EmptyHeadersChoice::set(const api::EmptyHeaders &found)
{
    const api::SetConvention command{found.convention, false};
    m_session.ask(this, command, [this](const core::Result<QString> &name) {
        if (name)
            apply();
        else
            tell(name.error().message);
    });
}

void EmptyHeadersChoice::apply()
{
    m_applying = std::make_unique<models::LongWork>(m_session, tr("Reading the messages again"));
    connect(m_applying.get(), &models::LongWork::changed, this, &EmptyHeadersChoice::refresh);
    const api::ApplyConventions command{m_plan.draft().filter, m_applying->ticket()};
    m_session.ask(this, command, [this](const core::Result<api::Reread> &done) {
        m_applying.reset();
        m_error = done ? QString() : models::visibleLine(done.error().message);
        m_plan.freezeAgain(); // the messages have changed: the list that the person saw is no longer theirs
        refresh();
    });
    refresh();
}

void EmptyHeadersChoice::tell(const QString &error)
{
    m_error = models::visibleLine(error);
    refresh();
}

} // namespace views

#include "moc_emptyheaderschoice.cpp"
