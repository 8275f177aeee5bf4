// The words and limits that conventionfile.cpp and conventioncheck.cpp share.
#pragma once

#include <QStringList>

namespace records::conventions {

// In the order of Convention::Fact.
inline const QStringList &factWords()
{
    static const QStringList words{
        QStringLiteral("exception_type"), QStringLiteral("exception_message"), QStringLiteral("stack_trace"),
        QStringLiteral("message_type"),   QStringLiteral("endpoint"),          QStringLiteral("host"),
        QStringLiteral("failed_at"),      QStringLiteral("attempts"),          QStringLiteral("return_to")};
    return words;
}

// In the order of Convention::BeforeRetry::Do.
inline const QStringList &ruleWords()
{
    static const QStringList words{QStringLiteral("remove"), QStringLiteral("zero"),
                                   QStringLiteral("empty_is_missing")};
    return words;
}

// In the order of MessagePlace::In.
inline const QStringList &placeWords()
{
    static const QStringList words{QStringLiteral("header"), QStringLiteral("property"), QStringLiteral("body")};
    return words;
}

inline constexpr qsizetype longestFile = 1024 * 1024; // bytes; the longest convention fits
inline constexpr int mostQueues = 50;
inline constexpr int mostDialects = 50;
inline constexpr int mostHeaders = 50;
inline constexpr int mostPlaces = 20; // of one fact
// Characters. AMQP allows 255 bytes for the name of a header or queue, Azure Service Bus 260 for the path of a queue.
inline constexpr qsizetype longestNote = 2000;
inline constexpr qsizetype longestName = 500;
inline constexpr qsizetype longestPointer = 500;
inline constexpr int deepestPointer = 20;

} // namespace records::conventions
