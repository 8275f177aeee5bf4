#include "backend/store/database/database.h"

namespace store {

static constexpr int statementsKept = 300;

Database::Database(QString path)
    : m_path(std::move(path))
{
}

Database::~Database() = default;

Statement Database::sql(const QString &text)
{
    const auto found = m_statements.constFind(text);
    const bool inUse = found != m_statements.cend();
    if (inUse && !(*found)->busy)
        return Statement(*this, *found);
    if (m_statements.size() >= statementsKept)
        m_statements.removeIf([](const auto &entry) { return !entry.value()->busy; });
    Result<std::shared_ptr<PreparedStatement>> prepared = prepare(text);
    if (!prepared)
        return Statement(*this, prepared.error());
    if (!inUse) // a second use at the same time gets its own statement
        m_statements.insert(text, *prepared);
    return Statement(*this, *std::move(prepared));
}

Result<int> Database::execute(const QString &text, const QVariantList &values)
{
    return sql(text).bindAll(values).run();
}

std::optional<core::Error> Database::faultFor(const QString &statement) const
{
    return m_faultHook ? m_faultHook(statement) : std::nullopt;
}

Result<> Database::commit()
{
    return sql(QStringLiteral("COMMIT")).run().map([](int) {});
}

Result<> Database::rollback()
{
    if (!inTransaction()) // the database has rolled back by itself, as SQLite does when the disk is full
        return {};
    return sql(QStringLiteral("ROLLBACK")).run().map([](int) {});
}

} // namespace store
