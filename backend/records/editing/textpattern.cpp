#include "backend/records/editing/textpattern.h"

#include "backend/core/time/systemclock.h"

#include <algorithm>

namespace records {

namespace {

constexpr qint64 mostPatternSteps = 1'000'000; // of PCRE in one call
// PCRE does not count how far it reads in a step, which may be to the end of the text. So a short text is searched in one
// call with a limit for each place, and of a longer one a call looks at some places only.
constexpr qsizetype shortText = 4 * 1024;
constexpr qint64 readInShortText = 400'000'000;
constexpr qint64 fewestSteps = 100;
constexpr qint64 readInOneCall = 100'000'000;
constexpr qint64 fewestPlaces = 32;
constexpr qint64 mostPlaces = 1024;
constexpr qint64 stepsOfPlace = 4;
constexpr qint64 fewestStepsOfCall = 256;
constexpr int moreSteps = 10; // a limit that is reached is raised so much

// A limit that a person writes into the pattern cannot raise this one: PCRE accepts only a lower one.
QRegularExpression limited(const QString &pattern, qint64 steps)
{
    return QRegularExpression(QStringLiteral("(*LIMIT_MATCH=%1)").arg(steps) + pattern);
}

// Looks at this place and the next ones. For PCRE this is one starting position, so its limit holds for all of them.
QString fromPlaces(const QString &pattern, int places)
{
    return QStringLiteral("(?s:.{0,%1}?)\\K(?:").arg(places - 1) + pattern + u')';
}

qint64 lengthOf(const QString &text)
{
    return std::max<qint64>(1, text.size());
}

} // namespace

bool PatternLimit::isOver() const
{
    return core::bootTime() >= until || (isCancelled != nullptr && *isCancelled);
}

TextPattern::TextPattern(const QString &pattern)
    : m_pattern(pattern)
    , m_plain(limited(fromPlaces(pattern, 1), mostPatternSteps))
{
    if (m_plain.isValid() || !limited(pattern, mostPatternSteps).isValid())
        m_plain = limited(pattern, mostPatternSteps); // its errors count characters of what the person wrote
}

TextPattern::Search::Search(const TextPattern &pattern, const QString &text, const PatternLimit &limit)
    : m_text(text)
    , m_limit(limit)
    , m_window(int(std::clamp(readInOneCall / lengthOf(text), fewestPlaces, mostPlaces)))
    , m_whole(limited(pattern.m_pattern,
                      std::clamp(readInShortText / (lengthOf(text) * lengthOf(text)), fewestSteps, mostPatternSteps)))
    , m_windowed(fromPlaces(pattern.m_pattern, m_window))
    , m_firstSteps(std::max(fewestStepsOfCall, m_window * stepsOfPlace))
    , m_first(limited(m_windowed, m_firstSteps))
{
}

qsizetype TextPattern::Search::behind(qsizetype place) const
{
    return place + (place < m_text.size() && m_text.at(place).isHighSurrogate() ? 2 : 1);
}

TextPattern::Found TextPattern::Search::next(qsizetype from)
{
    if (m_text.size() > shortText)
        return nextByWindows(from);
    m_match = m_whole.match(m_text, from, QRegularExpression::NormalMatch,
                            QRegularExpression::DontCheckSubjectStringMatchOption); // it is valid
    if (!m_match.isValid())
        return nextByWindows(from);
    return m_match.hasMatch() ? Found::Match : Found::Nothing;
}

TextPattern::Found TextPattern::Search::nextByWindows(qsizetype from)
{
    while (from <= m_text.size()) {
        if (m_limit.isOver())
            return Found::TooLong;
        if (!look(from))
            return Found::TooLong;
        if (m_match.hasMatch())
            return Found::Match;
        for (int place = 0; place < m_window && from <= m_text.size(); ++place)
            from = behind(from);
    }
    return Found::Nothing;
}

// A higher limit is tried only if it will end in time, by what the last one took.
bool TextPattern::Search::look(qsizetype from)
{
    const auto matched = [&](const QRegularExpression &expression) {
        return expression.match(m_text, from, QRegularExpression::NormalMatch,
                                QRegularExpression::DontCheckSubjectStringMatchOption
                                    | QRegularExpression::AnchorAtOffsetMatchOption);
    };
    core::BootTime begin = core::bootTime();
    m_match = matched(m_first);
    for (qint64 steps = m_firstSteps * moreSteps; !m_match.isValid(); steps *= moreSteps) {
        const core::BootTime now = core::bootTime();
        if (steps >= mostPatternSteps * moreSteps || now + (now - begin) * moreSteps > m_limit.until)
            return false;
        begin = now;
        m_match = matched(limited(m_windowed, std::min(steps, mostPatternSteps)));
    }
    return true;
}

} // namespace records
