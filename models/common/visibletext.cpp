#include "models/common/visibletext.h"

#include "models/common/hiddencharacters.h"

namespace models {

namespace {

// Unicode format characters change the text direction (UAX 9) or have no width; the fillers look like a blank.
bool isUnseen(char32_t c)
{
    const bool isFiller = c == U'\u034f' || c == U'\u115f' || c == U'\u1160' || c == U'\u3164' || c == U'\uffa0';
    return isFiller || QChar::category(c) == QChar::Other_Format;
}

bool isControl(char32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == U'\u2028' || c == U'\u2029';
}

void appendVisible(QString &out, char32_t c)
{
    constexpr char16_t controlPictures = 0x2400;
    if (c < 0x20)
        out += QChar(char16_t(controlPictures + c));
    else if (c == 0x7f)
        out += QChar(u'\u2421');
    else
        out += QStringLiteral("‹U+%1›").arg(uint(c), 4, 16, QLatin1Char('0')).toUpper();
}

// Appends the character, or its code when it is hidden.
void append(QString &out, char32_t c)
{
    if (isHidden(c))
        appendVisible(out, c);
    else
        out += QChar::fromUcs4(c);
}

} // namespace

bool isHidden(char32_t c)
{
    return isControl(c) || isUnseen(c);
}

char32_t nextCharacter(const QString &text, qsizetype &at)
{
    const QChar one = text.at(at++);
    if (!one.isHighSurrogate() || at == text.size() || !text.at(at).isLowSurrogate())
        return one.unicode();
    return QChar::surrogateToUcs4(one, text.at(at++));
}

QString visibleLine(const QString &text, qsizetype longest)
{
    QString out;
    out.reserve(std::min(text.size(), longest) + 1);
    for (qsizetype at = 0; at < text.size();) {
        const char32_t c = nextCharacter(text, at);
        if (out.size() >= longest) {
            out += QChar(u'…');
            break;
        }
        if (c == U'\n')
            out += QChar(u'⏎');
        else if (c == U'\t')
            out += QChar(u' ');
        else if (c != U'\r')
            append(out, c);
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
    for (qsizetype at = 0; at < text.size();) {
        const char32_t c = nextCharacter(text, at);
        const bool lineEnd = c == U'\r' && at < text.size() && text.at(at) == QLatin1Char('\n');
        if (lineEnd)
            continue;
        if (c == U'\n' || c == U'\t')
            out += QChar(char16_t(c));
        else
            append(out, c);
    }
    return out;
}

} // namespace models
