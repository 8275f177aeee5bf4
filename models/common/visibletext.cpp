#include "models/common/visibletext.h"

namespace models {

namespace {

bool turnsDirection(char16_t c)
{
    // Unicode Bidirectional Algorithm (UAX 9), explicit formatting characters and marks; and what has no width at all.
    return c == u'\u061c' || (c >= u'\u200b' && c <= u'\u200f') || (c >= u'\u202a' && c <= u'\u202e')
           || (c >= u'\u2060' && c <= u'\u2069') || c == u'\ufeff';
}

bool isControl(char16_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == u'\u2028' || c == u'\u2029';
}

void appendVisible(QString &out, char16_t c)
{
    constexpr char16_t controlPictures = 0x2400;
    if (c < 0x20)
        out += QChar(char16_t(controlPictures + c));
    else if (c == 0x7f)
        out += QChar(u'\u2421');
    else
        out += QStringLiteral("‹U+%1›").arg(uint(c), 4, 16, QLatin1Char('0')).toUpper();
}

} // namespace

QString visibleLine(const QString &text, qsizetype longest)
{
    QString out;
    out.reserve(std::min(text.size(), longest) + 1);
    for (const QChar one : text) {
        const char16_t c = one.unicode();
        if (out.size() >= longest) {
            out += QChar(u'…');
            break;
        }
        if (c == u'\n')
            out += QChar(u'⏎');
        else if (c == u'\t')
            out += QChar(u' ');
        else if (c == u'\r')
            continue;
        else if (isControl(c) || turnsDirection(c))
            appendVisible(out, c);
        else
            out += one;
    }
    return out;
}

QString shortQueueName(const QString &name)
{
    const QString deadLetters = QStringLiteral("/$DeadLetterQueue");
    return name.endsWith(deadLetters, Qt::CaseInsensitive)
               ? visibleLine(name.chopped(deadLetters.size())) + QStringLiteral(" / DLQ")
               : visibleLine(name);
}

QString visibleLines(const QString &text)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text.at(i).unicode();
        const bool lineEnd = c == u'\r' && i + 1 < text.size() && text.at(i + 1) == QLatin1Char('\n');
        if (lineEnd)
            continue;
        if (c != u'\n' && c != u'\t' && (isControl(c) || turnsDirection(c)))
            appendVisible(out, c);
        else
            out += text.at(i);
    }
    return out;
}

} // namespace models
