#include "models/edits/bodyform.h"

#include "backend/records/editing/jsonlines.h"
#include "models/common/formatters.h"
#include "models/common/text.h"
#include "models/edits/editabletext.h"

namespace models {

namespace {

const QByteArray byteOrderMark("\xef\xbb\xbf");

// QString::fromUtf8 drops a byte order mark, so it is added again.
QString decoded(const QByteArray &body)
{
    if (!body.startsWith(byteOrderMark))
        return QString::fromUtf8(body);
    return QChar(QChar::ByteOrderMark) + QString::fromUtf8(body.mid(byteOrderMark.size()));
}

// True when every line feed follows a carriage return and there are no other carriage returns.
bool hasCarriageReturns(const QString &text)
{
    const qsizetype pairs = text.count(QStringLiteral("\r\n"));
    return pairs > 0 && pairs == text.count(QLatin1Char('\n')) && pairs == text.count(QLatin1Char('\r'));
}

qsizetype longestLine(const QString &text)
{
    qsizetype longest = 0;
    for (const QStringView line : QStringView(text).split(QLatin1Char('\n')))
        longest = std::max(longest, line.size());
    return longest;
}

} // namespace

BodyForm::BodyForm(const QByteArray &body)
    : m_body(body)
{
    QString text = decoded(body);
    m_carriageReturns = hasCarriageReturns(text);
    if (m_carriageReturns)
        text.remove(QLatin1Char('\r'));
    const bool looksJson = text.startsWith(QLatin1Char('{')) || text.startsWith(QLatin1Char('['));
    if (looksJson && !text.contains(QLatin1Char('\n'))) {
        const QString lined = records::indentedJson(text);
        for (const Join join : {Join::Dense, Join::Spaced}) {
            if (m_join == Join::None && lined.contains(QLatin1Char('\n')) && joined(lined, join) == text)
                m_join = join;
        }
        if (m_join != Join::None)
            text = lined;
    }
    m_text = editableLines(text);
    if (const qsizetype longest = longestLine(m_text); longest > longestEditedLine) {
        m_whyNot = Text::tr("One line has %1 characters. That is too long to edit here.").arg(formatNumber(longest));
    }
}

QByteArray BodyForm::body(const QString &edited) const
{
    if (edited == m_text)
        return m_body;
    QString text = fromEditable(edited);
    if (m_join != Join::None)
        text = joined(text, m_join);
    if (m_carriageReturns)
        text.replace(QLatin1Char('\n'), QStringLiteral("\r\n"));
    return text.toUtf8();
}

// Removes the white space between the tokens; strings stay unchanged.
QString BodyForm::joined(const QString &json, Join join)
{
    QString out;
    out.reserve(json.size());
    bool inText = false;
    for (qsizetype i = 0; i < json.size(); ++i) {
        const QChar c = json.at(i);
        const bool isSpace =
            c == QLatin1Char(' ') || c == QLatin1Char('\n') || c == QLatin1Char('\t') || c == QLatin1Char('\r');
        if (!inText && isSpace)
            continue;
        out += c;
        if (inText && c == QLatin1Char('\\') && i + 1 < json.size())
            out += json.at(++i);
        else if (c == QLatin1Char('"'))
            inText = !inText;
        else if (!inText && join == Join::Spaced && (c == QLatin1Char(',') || c == QLatin1Char(':')))
            out += QLatin1Char(' ');
    }
    return out;
}

} // namespace models
