#include "backend/core/text/safetext.h"

#include <QList>
#include <QRegularExpression>

namespace core {

bool isUnsafe(char32_t character)
{
    switch (QChar::category(character)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return false;
    }
}

QString safeText(const QString &text, QStringView kept)
{
    constexpr char32_t firstBeyondAscii = 0x80;
    QString safe;
    safe.reserve(text.size());
    for (const char32_t character : text.toUcs4()) {
        const bool isKept = character < firstBeyondAscii && kept.contains(QChar(char16_t(character)));
        if (isUnsafe(character) && !isKept)
            safe += QChar(QChar::ReplacementCharacter);
        else
            safe += QChar::fromUcs4(character);
    }
    return safe;
}

QString shellWord(const QString &text)
{
    static const QRegularExpression harmless(QStringLiteral("^[A-Za-z0-9_@%+=:,./][A-Za-z0-9_@%+=:,./-]*$"));
    if (harmless.match(text).hasMatch())
        return text;
    QString inside = text;
    return QLatin1Char('\'') + inside.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

} // namespace core
