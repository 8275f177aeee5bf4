#include "backend/store/database/database.h"
#include "backend/store/search/textsearch.h"
#include "backend/store/search/wordbreaks.h"

namespace store {

namespace {

// Pieces are found with ILIKE, by pg_trgm where it is installed. Words are those of SQLite's index, split here, with their
// places, so that words that belong together are found only together.
class PostgresSearch final : public TextSearch
{
public:
    [[nodiscard]] QString piecesQuery(const QString &needle) const override
    {
        QString pattern = needle;
        for (const QChar letter : {u'\\', u'%', u'_'})
            pattern.replace(letter, QStringLiteral("\\") + letter);
        return u'%' + pattern + u'%';
    }
    [[nodiscard]] QString wordsQuery(const QString &search) const override { return wordsAsQuery(search); }
    [[nodiscard]] bool isExact() const override { return true; }

    [[nodiscard]] core::Result<> addWords(Database &database, core::MessageId id, const QString &text) const override
    {
        return database.sql(QStringLiteral("INSERT INTO content_text (rowid, text) VALUES (?, ?)"))
            .bind(id, wordsAsVector(text))
            .run()
            .map([](int) {});
    }
    [[nodiscard]] core::Result<> removeWords(Database &database, core::MessageId id,
                                             const QString & /*text*/) const override
    {
        return database.sql(QStringLiteral("DELETE FROM content_text WHERE rowid = ?")).bind(id).run().map([](int) {});
    }
};

} // namespace

const TextSearch &postgresSearch()
{
    static const PostgresSearch search;
    return search;
}

} // namespace store
