#include "models/edits/editabletext.h"

#include "models/common/hiddencharacters.h"

#include <QRegularExpression>

namespace models {

namespace {

constexpr QStringView opening(u"\u2039U+");

// Characters that QTextDocument uses for objects, paragraphs or frames, and surrogates without their partner.
bool isSpecial(char32_t c)
{
    const bool isNoCharacter = (c >= 0xfdd0 && c <= 0xfdef) || (c & 0xfffe) == 0xfffe;
    return c == 0xfffc || isNoCharacter || QChar::isSurrogate(c);
}

QString written(const QString &text, QStringView staying)
{
    QString out;
    out.reserve(text.size());
    for (qsizetype at = 0; at < text.size();) {
        const bool looksWritten = QStringView(text).mid(at).startsWith(opening);
        const char32_t c = nextCharacter(text, at);
        const bool stays = c < 0x80 && staying.contains(QChar(char16_t(c)));
        if (!stays && (looksWritten || isHidden(c) || isSpecial(c)))
            out += QStringLiteral("‹U+%1›").arg(uint(c), 4, 16, QLatin1Char('0')).toUpper();
        else
            out += QChar::fromUcs4(c);
    }
    return out;
}

} // namespace

QString editableLines(const QString &text)
{
    return written(text, u"\n\t");
}

QString editableLine(const QString &text)
{
    return written(text, u"");
}

QString fromEditable(const QString &text)
{
    static const QRegularExpression one(QStringLiteral("‹U\\+([0-9A-Fa-f]{4,6})›"));
    if (!text.contains(opening))
        return text;
    QString out;
    qsizetype done = 0;
    for (auto match = one.globalMatch(text); match.hasNext();) {
        const QRegularExpressionMatch found = match.next();
        const char32_t c = found.captured(1).toUInt(nullptr, 16);
        if (c > QChar::LastValidCodePoint)
            continue; // not a character: it stays as typed
        out += QStringView(text).mid(done, found.capturedStart() - done);
        out += QChar::fromUcs4(c);
        done = found.capturedEnd();
    }
    out += QStringView(text).mid(done);
    return out;
}

} // namespace models
