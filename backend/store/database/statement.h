#pragma once

#include "backend/core/ids.h"
#include "backend/core/result.h"
#include "backend/core/time/clock.h"

#include <QVariant>

#include <memory>
#include <optional>
#include <type_traits>

namespace store {

using core::Result;

class Database;

// A statement that a database has prepared, with the values of its present use. The databases implement it; the others use
// it through Statement.
class PreparedStatement
{
public:
    explicit PreparedStatement(QString text)
        : m_text(std::move(text))
    {
    }
    virtual ~PreparedStatement() = default;
    PreparedStatement(const PreparedStatement &) = delete;
    PreparedStatement &operator=(const PreparedStatement &) = delete;

    virtual void bind(int number, const QVariant &value) = 0; // from 0
    [[nodiscard]] virtual Result<> execute() = 0; // with all values bound
    [[nodiscard]] virtual int changedRows() const = 0;
    [[nodiscard]] virtual Result<bool> next() = 0; // whether there is a next row
    virtual void finish() = 0; // nothing of this use stays open

    // Columns of the current row, from 0.
    [[nodiscard]] virtual bool isNull(int column) const = 0;
    [[nodiscard]] virtual QVariant value(int column) const = 0;
    [[nodiscard]] virtual qint64 integer(int column) const = 0; // of a truth value: 0 or 1
    [[nodiscard]] virtual QString text(int column) const = 0;
    [[nodiscard]] virtual QByteArray blob(int column) const = 0;

    [[nodiscard]] const QString &text() const { return m_text; }
    bool busy = false;

private:
    QString m_text; // as the repositories write it
};

// One use of a prepared statement. The destructor resets it, so that no read stays open across events. Every error, of
// preparing too, is returned by run, step or each. On the thread of its Database.
class Statement final
{
public:
    Statement(Database &database, std::shared_ptr<PreparedStatement> prepared);
    Statement(Database &database, core::Error error);
    ~Statement();
    Statement(Statement &&other) noexcept;
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;
    Statement &operator=(Statement &&) = delete;

    // Binds values in the order of the question marks; the next call continues after the last value.
    template<typename... Values>
    Statement &bind(const Values &...values)
    {
        (put(toVariant(values)), ...);
        return *this;
    }
    Statement &bindAll(const QVariantList &values);

    // For statements without rows: returns the number of changed rows.
    [[nodiscard]] Result<int> run();
    // True: there is a next row. False: there are no more.
    [[nodiscard]] Result<bool> step();
    // Calls take() for every row.
    template<typename Take>
    [[nodiscard]] Result<> each(Take take)
    {
        while (true) {
            TRY(const bool row, step());
            if (!row)
                return {};
            take();
        }
    }

    // Columns of the current row, from 0.
    [[nodiscard]] bool isNull(int column) const;
    [[nodiscard]] QVariant value(int column) const;
    [[nodiscard]] qint64 integer(int column) const;
    [[nodiscard]] QString text(int column) const;
    [[nodiscard]] QByteArray blob(int column) const;
    [[nodiscard]] core::TimePoint time(int column) const { return core::fromMs(integer(column)); }
    [[nodiscard]] std::optional<core::TimePoint> optionalTime(int column) const;
    [[nodiscard]] std::optional<qint64> optionalInteger(int column) const;
    [[nodiscard]] std::optional<core::Milliseconds> optionalSpan(int column) const; // in milliseconds
    template<typename Enum>
    [[nodiscard]] Enum as(int column) const
    {
        return static_cast<Enum>(integer(column));
    }

    // Null QString and QByteArray become empty, not NULL: the columns are NOT NULL.
    static QVariant toVariant(const QString &value);
    static QVariant toVariant(const QByteArray &value);
    static QVariant toVariant(qint64 value) { return value; }
    static QVariant toVariant(int value) { return value; }
    static QVariant toVariant(bool value) { return value ? 1 : 0; }
    static QVariant toVariant(core::TimePoint value) { return core::toMs(value); }
    static QVariant toVariant(core::Milliseconds value) { return qint64(value.count()); }
    template<typename Tag>
    static QVariant toVariant(core::Id<Tag> value)
    {
        return value.value;
    }
    template<typename Enum>
    requires std::is_enum_v<Enum>
    static QVariant toVariant(Enum value) { return static_cast<int>(value); }
    template<typename T>
    static QVariant toVariant(const std::optional<T> &value)
    {
        return value ? toVariant(*value) : QVariant();
    }

private:
    void put(const QVariant &value);
    [[nodiscard]] Result<> execute();

    Database &m_database;
    std::shared_ptr<PreparedStatement> m_prepared;
    std::optional<core::Error> m_error;
    int m_bound = 0;
    bool m_executed = false;
};

} // namespace store
