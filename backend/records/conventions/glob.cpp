#include "backend/records/conventions/glob.h"

namespace records {

namespace {

constexpr QChar anyText = u'*';
constexpr QChar anyCharacter = u'?';

bool fits(QStringView piece, QStringView text)
{
    for (qsizetype i = 0; i < piece.size(); ++i) {
        if (piece.at(i) != anyCharacter && piece.at(i) != text.at(i))
            return false;
    }
    return true;
}

qsizetype find(QStringView piece, QStringView text)
{
    if (!piece.contains(anyCharacter))
        return text.indexOf(piece);
    for (qsizetype at = 0; at + piece.size() <= text.size(); ++at) {
        if (fits(piece, text.sliced(at)))
            return at;
    }
    return -1;
}

} // namespace

Glob::Glob(const QString &pattern)
    : m_pieces(pattern.split(anyText))
{
}

bool Glob::isGlob(QStringView pattern)
{
    return pattern.contains(anyText) || pattern.contains(anyCharacter);
}

bool Glob::matches(QStringView text) const
{
    const QStringView first = m_pieces.first();
    const QStringView last = m_pieces.last();
    if (m_pieces.size() == 1)
        return text.size() == first.size() && fits(first, text);
    if (text.size() < first.size() + last.size() || !fits(first, text) || !fits(last, text.last(last.size())))
        return false;
    QStringView rest = text.sliced(first.size()).chopped(last.size());
    for (qsizetype i = 1; i + 1 < m_pieces.size(); ++i) {
        const QStringView piece = m_pieces.at(i);
        const qsizetype at = find(piece, rest);
        if (at < 0)
            return false;
        rest = rest.sliced(at + piece.size());
    }
    return true;
}

} // namespace records
