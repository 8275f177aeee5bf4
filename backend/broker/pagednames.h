#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <QSet>
#include <QStringList>

namespace broker {

// Queue names from a service that lists them in pages. Each page has a token that brings the next one.
struct PageOfNames
{
    QStringList names;
    QString next; // token of the next page; empty: this is the last one
};
struct PagedNames
{
    QStringList names;
    bool complete = true; // false: there are more than mostListedNames, or the pages lead in a circle
};

inline constexpr qsizetype mostListedNames = 20000;

// Reads page after page and returns each name once. `ask` gets the token of the page, empty for the first. The first
// error of `ask` ends it.
[[nodiscard]] inline core::Task<core::Result<PagedNames>> pagedNames(
    std::function<core::Task<core::Result<PageOfNames>>(QString token)> ask)
{
    constexpr int mostPages = 1000;
    PagedNames all;
    QSet<QString> known;
    QSet<QString> asked;
    QString token;
    for (int page = 0; page < mostPages; ++page) {
        CO_TRY(const PageOfNames one, co_await ask(token));
        for (const QString &name : one.names) {
            if (known.contains(name))
                continue;
            known.insert(name);
            all.names.append(name);
        }
        if (all.names.size() > mostListedNames)
            break;
        if (one.next.isEmpty())
            co_return all;
        asked.insert(token);
        token = one.next;
        if (asked.contains(token))
            break;
    }
    all.names = all.names.mid(0, mostListedNames);
    all.complete = false;
    const PagedNames some = all;
    co_return some;
}

} // namespace broker
