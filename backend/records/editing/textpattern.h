#pragma once

#include "backend/core/time/clock.h"

#include <QRegularExpression>
#include <QString>

#include <atomic>

namespace records {

// When the patterns of an edit must end.
struct PatternLimit
{
    core::BootTime until;
    const std::atomic_bool *isCancelled = nullptr; // set by another thread; null: nobody cancels

    [[nodiscard]] bool isOver() const;
};

// A regular expression (PCRE) of an edit. Its whole work on one message is limited: PCRE limits only what it does from one
// starting position, and does not count how far it reads. Any thread.
class TextPattern final
{
public:
    enum class Found { Match, Nothing, TooLong };
    // For all patterns of an edit on one message. It is looked at between two parts of the work, each of which is short. A
    // message is edited on the engine thread when it is sent, so this is how long others wait for it at most.
    static constexpr core::Milliseconds longestWork{1000};
    // For a trial: what fits in it fits again when the message is sent, also while the machine is busy.
    static constexpr core::Milliseconds longestTrial{300};
    // For a thread that others wait for. Most work ends in it.
    static constexpr core::Milliseconds moment{30};

    // Finds the matches of one text, one after the other, within a limit. Pattern and text outlive it.
    class Search final
    {
    public:
        Search(const TextPattern &pattern, const QString &text, const PatternLimit &limit);
        // The first match at this place or behind it.
        [[nodiscard]] Found next(qsizetype from);
        [[nodiscard]] const QRegularExpressionMatch &match() const { return m_match; }
        // The place behind the character at this place.
        [[nodiscard]] qsizetype behind(qsizetype place) const;

    private:
        [[nodiscard]] Found nextByWindows(qsizetype from);
        [[nodiscard]] bool look(qsizetype from); // false: it takes too long

        const QString &m_text;
        const PatternLimit m_limit;
        const int m_window; // places at which one call looks for a match
        const QRegularExpression m_whole; // looks from place to place by itself
        const QString m_windowed; // the pattern that looks at these places
        const qint64 m_firstSteps;
        const QRegularExpression m_first; // the same with the lowest limit
        QRegularExpressionMatch m_match;
    };

    explicit TextPattern(const QString &pattern);

    [[nodiscard]] bool isValid() const { return m_plain.isValid(); }
    [[nodiscard]] QString errorText() const { return m_plain.errorString(); }
    [[nodiscard]] int groups() const { return m_plain.captureCount(); }

private:
    QString m_pattern;
    QRegularExpression m_plain; // is not used for matching
};

} // namespace records
