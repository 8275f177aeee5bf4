#include "backend/store/database/statement.h"

#include "backend/store/database/database.h"

#include <QSqlError>

namespace store {

static constexpr int statementInDetail = 300;

Statement::Statement(Database &database, std::shared_ptr<Slot> slot)
    : m_database(database)
    , m_slot(std::move(slot))
{
    m_slot->busy = true;
}

Statement::Statement(Database &database, core::Error error)
    : m_database(database)
    , m_error(std::move(error))
{
}

Statement::Statement(Statement &&other) noexcept
    : m_database(other.m_database)
    , m_slot(std::exchange(other.m_slot, nullptr))
    , m_error(std::move(other.m_error))
    , m_bound(other.m_bound)
    , m_executed(other.m_executed)
{
}

Statement::~Statement()
{
    if (!m_slot)
        return;
    m_slot->query.finish();
    m_slot->busy = false;
}

Statement &Statement::bindAll(const QVariantList &values)
{
    for (const QVariant &value : values)
        put(value);
    return *this;
}

void Statement::put(const QVariant &value)
{
    if (m_slot)
        m_slot->query.bindValue(m_bound++, value);
}

Result<> Statement::execute()
{
    if (m_error)
        return core::fail(*m_error);
    if (std::optional<core::Error> injected = m_database.faultFor(m_slot->query.lastQuery()))
        return core::fail(std::move(*injected));
    m_executed = true;
    if (!m_slot->query.exec()) {
        core::Error error = m_database.errorOf(m_slot->query.lastError());
        error.detail +=
            QStringLiteral(" in ") + m_slot->query.lastQuery().left(statementInDetail); // our own text, without values
        return core::fail(std::move(error));
    }
    return {};
}

Result<int> Statement::run()
{
    TRY(execute());
    return m_slot->query.numRowsAffected();
}

Result<bool> Statement::step()
{
    if (!m_executed)
        TRY(execute());
    if (m_slot->query.next())
        return true;
    const QSqlError error = m_slot->query.lastError();
    if (error.isValid())
        return core::fail(m_database.errorOf(error));
    return false;
}

bool Statement::isNull(int column) const
{
    return m_slot->query.isNull(column);
}

QVariant Statement::value(int column) const
{
    return m_slot->query.value(column);
}

qint64 Statement::integer(int column) const
{
    return m_slot->query.value(column).toLongLong();
}

QString Statement::text(int column) const
{
    return m_slot->query.value(column).toString();
}

QByteArray Statement::blob(int column) const
{
    return m_slot->query.value(column).toByteArray();
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
