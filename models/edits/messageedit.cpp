#include "models/edits/messageedit.h"

#include "backend/core/text/losslessjson.h"
#include "backend/records/editing/editing.h"
#include "backend/records/editing/jsonpatcher.h"
#include "models/common/formatters.h"
#include "models/common/inbackground.h"
#include "models/common/visibletext.h"

namespace models {

namespace {

bool isJson(const QByteArray &body)
{
    QJsonParseError error;
    const QByteArray trimmed = body.trimmed();
    if (!trimmed.startsWith('{') && !trimmed.startsWith('['))
        return false;
    std::ignore = core::jsonFrom(body, &error);
    return error.error == QJsonParseError::NoError;
}

// Line and column are those of the editor, where the person will look.
QString noJson(const QByteArray &shown)
{
    const std::optional<qsizetype> fault = records::jsonFault(shown);
    if (!fault)
        return MessageEdit::tr("The body is no longer valid JSON.");
    const records::TextPlace place = records::placeIn(shown, *fault);
    return MessageEdit::tr("The body is no longer valid JSON. Check line %1, column %2.")
        .arg(formatNumber(place.line), formatNumber(place.column));
}

} // namespace

MessageEdit::MessageEdit(ConsoleSession &session, records::MessageFilter filter, core::MessageId message,
                         QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_filter(std::move(filter))
    , m_message(message)
    , m_check(session)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(std::chrono::milliseconds{200});
    connect(&m_pause, &QTimer::timeout, this, &MessageEdit::check);
    connect(&m_headers, &EditedHeaders::edited, this, &MessageEdit::touch);
}

void MessageEdit::read()
{
    m_state = State::Reading;
    Q_EMIT stateChanged();
    m_session.ask(this, api::PreviewEdit{m_filter, m_message, {}}, [this](const core::Result<api::EditSample> &answer) {
        m_failure.clear();
        if (!answer)
            m_failure = answer.error().message;
        else if (!answer->message.isValid())
            m_failure = tr("This message can no longer be retried.");
        else if (!answer->cannotEdit.isEmpty())
            m_failure = answer->cannotEdit;
        if (answer) {
            m_original = *answer;
            m_headers.show(m_original);
            m_body = BodyForm(m_original.bodyNotEditable.isEmpty() ? m_original.before.body : QByteArray());
        }
        m_state = m_failure.isEmpty() ? State::Ready : State::Failed;
        Q_EMIT stateChanged();
    });
}

QString MessageEdit::bodyNotEditable() const
{
    return m_original.bodyNotEditable.isEmpty() ? m_body.whyNot() : m_original.bodyNotEditable;
}

void MessageEdit::bodyTouched()
{
    touch();
}

void MessageEdit::touch()
{
    if (m_state != State::Ready)
        return;
    m_check.drop();
    m_pause.start();
    Q_EMIT changed();
}

// A body that cannot be edited has an empty editor, which is not a change.
bool MessageEdit::takesBody() const
{
    return m_source && bodyNotEditable().isEmpty();
}

bool MessageEdit::isChanged() const
{
    if (m_state != State::Ready)
        return false;
    return m_headers.isChanged() || (takesBody() && m_source() != m_body.text());
}

records::Envelope MessageEdit::unedited() const
{
    records::Envelope before = m_original.before;
    before.headers = m_headers.original();
    return before;
}

records::Envelope MessageEdit::edited() const
{
    records::Envelope after = m_original.before;
    after.headers = m_headers.headers();
    if (takesBody())
        after.body = m_body.body(m_source());
    return after;
}

records::Edit MessageEdit::edit() const
{
    return m_state == State::Ready ? records::editBetween(unedited(), edited()) : records::Edit{};
}

QString MessageEdit::problem() const
{
    if (!m_failure.isEmpty())
        return visibleLine(m_failure);
    const QString ofHeaders = m_headers.problem();
    return ofHeaders.isEmpty() ? visibleLine(m_misfit) : ofHeaders;
}

MessageEdit::Check MessageEdit::checkOf(const records::Envelope &before, const records::Envelope &after,
                                        const QString &shown)
{
    Check check;
    check.difference = records::difference(before, after);
    check.edit = records::editBetween(before, after);
    if (check.difference.bodyChanges && isJson(before.body) && !isJson(after.body))
        check.warning = noJson(shown.toUtf8());
    return check;
}

void MessageEdit::check()
{
    const QString shown = takesBody() ? m_source() : QString();
    const auto work = [before = unedited(), after = edited(), shown]() -> core::Result<Check> {
        return checkOf(before, after, shown);
    };
    m_check.await(inBackground(work), [this](const core::Result<Check> &check) {
        if (check)
            take(*check);
    });
}

void MessageEdit::take(const Check &check)
{
    m_difference = check.difference;
    m_warning = check.warning;
    if (check.edit.isEmpty()) {
        m_misfit.clear();
        Q_EMIT checked();
        return;
    }
    m_check.askUntilReplaced(api::PreviewEdit{m_filter, m_message, check.edit},
                             [this](const core::Result<api::EditSample> &answer) {
                                 m_misfit = answer ? answer->misfit : answer.error().message;
                                 Q_EMIT checked();
                             });
}

} // namespace models

#include "moc_messageedit.cpp"
