#include "backend/store/database/statement.h"

#include "backend/store/database/database.h"

namespace store {

static constexpr int statementInDetail = 300;

Statement::Statement(Database &database, std::shared_ptr<PreparedStatement> prepared)
    : m_database(database)
    , m_prepared(std::move(prepared))
{
    m_prepared->busy = true;
}

Statement::Statement(Database &database, core::Error error)
    : m_database(database)
    , m_error(std::move(error))
{
}

Statement::Statement(Statement &&other) noexcept
    : m_database(other.m_database)
    , m_prepared(std::exchange(other.m_prepared, nullptr))
    , m_error(std::move(other.m_error))
    , m_bound(other.m_bound)
    , m_executed(other.m_executed)
{
}

Statement::~Statement()
{
    if (!m_prepared)
        return;
    m_prepared->finish();
    m_prepared->busy = false;
}

Statement &Statement::bindAll(const QVariantList &values)
{
    for (const QVariant &value : values)
        put(value);
    return *this;
}

void Statement::put(const QVariant &value)
{
    if (m_prepared)
        m_prepared->bind(m_bound++, value);
}

Result<> Statement::execute()
{
    if (m_error)
        return core::fail(*m_error);
    if (std::optional<core::Error> injected = m_database.faultFor(m_prepared->text()))
        return core::fail(std::move(*injected));
    m_executed = true;
    const Result<> done = m_prepared->execute();
    if (done)
        return {};
    core::Error error = done.error();
    error.detail += QStringLiteral(" in ") + m_prepared->text().left(statementInDetail); // our own text, without values
    return core::fail(std::move(error));
}

Result<int> Statement::run()
{
    TRY(execute());
    return m_prepared->changedRows();
}

Result<bool> Statement::step()
{
    if (!m_executed)
        TRY(execute());
    return m_prepared->next();
}

bool Statement::isNull(int column) const
{
    return m_prepared->isNull(column);
}

QVariant Statement::value(int column) const
{
    return m_prepared->value(column);
}

qint64 Statement::integer(int column) const
{
    return m_prepared->integer(column);
}

QString Statement::text(int column) const
{
    return m_prepared->text(column);
}

QByteArray Statement::blob(int column) const
{
    return m_prepared->blob(column);
}

std::optional<core::TimePoint> Statement::optionalTime(int column) const
{
    if (isNull(column))
        return std::nullopt;
    return time(column);
}

std::optional<qint64> Statement::optionalInteger(int column) const
{
    if (isNull(column))
        return std::nullopt;
    return integer(column);
}

std::optional<core::Milliseconds> Statement::optionalSpan(int column) const
{
    const std::optional<qint64> ms = optionalInteger(column);
    return ms ? std::optional(core::Milliseconds{*ms}) : std::nullopt;
}

QVariant Statement::toVariant(const QString &value)
{
    return value.isNull() ? QVariant(QStringLiteral("")) : QVariant(value);
}

QVariant Statement::toVariant(const QByteArray &value)
{
    return value.isNull() ? QVariant(QByteArray("")) : QVariant(value);
}

} // namespace store
