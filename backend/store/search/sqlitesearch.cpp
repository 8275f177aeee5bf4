#include "backend/store/database/database.h"
#include "backend/store/search/filtersql.h"
#include "backend/store/search/textsearch.h"

namespace store {

namespace {

// FTS5 indexes that keep row numbers only: a hit is checked against the message.
class SqliteSearch final : public TextSearch
{
public:
    [[nodiscard]] QString piecesQuery(const QString &needle) const override { return trigramQuery(needle); }
    [[nodiscard]] QString wordsQuery(const QString &search) const override { return search; }
    [[nodiscard]] bool isExact() const override { return false; }

    // One row for each statement: with several rows FTS5 would write its pending index out before each.
    [[nodiscard]] core::Result<> addWords(Database &database, core::MessageId id, const QString &text) const override
    {
        return database.sql(QStringLiteral("INSERT INTO content_text (rowid, text) VALUES (?, ?)"))
            .bind(id, text)
            .run()
            .map([](int) {});
    }
    [[nodiscard]] core::Result<> removeWords(Database &database, core::MessageId id, const QString &text) const override
    {
        return database
            .sql(QStringLiteral("INSERT INTO content_text (content_text, rowid, text) VALUES ('delete', ?, ?)"))
            .bind(id, text)
            .run()
            .map([](int) {});
    }
};

} // namespace

const TextSearch &sqliteSearch()
{
    static const SqliteSearch search;
    return search;
}

} // namespace store
