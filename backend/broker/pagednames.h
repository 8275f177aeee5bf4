#pragma once

#include "backend/core/async.h"
#include "backend/core/result.h"

#include <QSet>
#include <QStringList>

namespace broker {

// The names of queues where a service lists them in pages, each with a token that brings the next one.
struct PageOfNames
{
    QStringList names;
    QString next; // empty: this was the last
};
struct PagedNames
{
    QStringList names;
    bool complete = true; // else there were too many, or the pages led in a circle
};

inline constexpr qsizetype mostListedNames = 20000;

// All of them, each once, asked for page by page; the first without a token.
[[nodiscard]] inline core::Task<core::Result<PagedNames>> pagedNames(
    std::function<core::Task<core::Result<PageOfNames>>(QString token)> ask)
{
    constexpr int mostPages = 1000;
    PagedNames all;
    QSet<QString> known;
    QSet<QString> asked;
    QString token;
    for (int page = 0; page < mostPages; ++page) {
        const core::Result<PageOfNames> one = co_await ask(token);
        if (!one)
            co_return core::fail(one.error());
        for (const QString &name : one->names) {
            if (known.contains(name))
                continue;
            known.insert(name);
            all.names.append(name);
        }
        if (all.names.size() > mostListedNames)
            break;
        if (one->next.isEmpty())
            co_return all;
        asked.insert(token);
        token = one->next;
        if (asked.contains(token))
            break;
    }
    all.names = all.names.mid(0, mostListedNames);
    all.complete = false;
    const PagedNames some = all;
    co_return some;
}

} // namespace broker
