#include "backend/store/database/postgresql/postgresstatement.h"

#include "backend/store/database/postgresql/postgresdatabase.h"
#include "backend/store/database/postgresql/postgreserror.h"
#include "backend/store/database/postgresql/postgressql.h"
#include "backend/store/text.h"

#include <QtEndian>

#include <limits>

#include <libpq-fe.h>

namespace store {

namespace {

// Of catalog/pg_type.dat; they never change.
constexpr quint32 boolType = 16;
constexpr quint32 byteaType = 17;
constexpr quint32 int8Type = 20;
constexpr quint32 int2Type = 21;
constexpr quint32 int4Type = 23;
constexpr quint32 numericType = 1700;

// A text of PostgreSQL has no NUL. A character that Unicode reserves for such uses stands for it.
constexpr QChar nulStandsAs = QChar(0xFDD0);

QByteArray toUtf8(QString text)
{
    if (text.contains(QChar::Null))
        text.replace(QChar::Null, nulStandsAs);
    return text.toUtf8();
}

QString fromUtf8(QByteArrayView bytes)
{
    QString text = QString::fromUtf8(bytes);
    if (bytes.contains("\xef\xb7\x90"))
        text.replace(nulStandsAs, QChar::Null);
    return text;
}

template<typename Integer>
QByteArray toBytes(Integer value)
{
    QByteArray bytes(sizeof(Integer), Qt::Uninitialized);
    qToBigEndian<Integer>(value, bytes.data());
    return bytes;
}

bool isWhole(const QVariant &value)
{
    return value.typeId() == QMetaType::LongLong || value.typeId() == QMetaType::Int
           || value.typeId() == QMetaType::Bool || value.typeId() == QMetaType::UInt
           || value.typeId() == QMetaType::ULongLong;
}

quint32 typeOf(const QVariant &value)
{
    if (isWhole(value))
        return int8Type;
    return value.typeId() == QMetaType::QByteArray ? byteaType : 0;
}

struct Parameter
{
    QByteArray bytes;
    bool binary = false;
};

Parameter parameterOf(const QVariant &value, quint32 type)
{
    if (value.typeId() == QMetaType::QByteArray)
        return {value.toByteArray(), true};
    if (!isWhole(value))
        return {toUtf8(value.toString()), false};
    switch (type) {
    case int8Type:
        return {toBytes<qint64>(value.toLongLong()), true};
    case int4Type:
        return {toBytes<qint32>(qint32(value.toLongLong())), true};
    case int2Type:
        return {toBytes<qint16>(qint16(value.toLongLong())), true};
    default:
        return {QByteArray::number(value.toLongLong()), false};
    }
}

// The whole part of a numeric: digits to the base of 10,000, the first of which counts 10,000 to the power of `weight`.
qint64 wholePart(QByteArrayView bytes)
{
    const auto word = [bytes](qsizetype at) { return qFromBigEndian<qint16>(bytes.data() + 2 * at); };
    constexpr qint16 negative = 0x4000;
    const int digits = word(0);
    const int weight = word(1);
    const int sign = word(2) == negative ? -1 : 1;
    qint64 whole = 0;
    for (int i = 0; i <= weight; ++i)
        whole = whole * 10'000 + (i < digits ? sign * word(4 + i) : 0);
    return whole;
}

} // namespace

PostgresStatement::PostgresStatement(PostgresDatabase &database, const QString &text)
    : PreparedStatement(text)
    , m_database(database)
    , m_sql(postgresSql(text).toUtf8())
{
}

PostgresStatement::~PostgresStatement()
{
    m_answer.reset();
    PostgresLine &line = m_database.line();
    if (isPrepared() && !line.isLost() && PQtransactionStatus(line.handle()) != PQTRANS_INERROR)
        (void)line.exec(QByteArrayLiteral("DEALLOCATE ") + m_name); // the server keeps it until the connection ends
}

void PostgresStatement::bind(int number, const QVariant &value)
{
    if (number >= m_values.size())
        m_values.resize(number + 1);
    m_values[number] = value;
}

bool PostgresStatement::isPrepared() const
{
    return !m_name.isEmpty() && m_connection == m_database.connection();
}

core::Error PostgresStatement::errorOf(const PostgresAnswer &answer)
{
    return m_database.failed(postgresError(answer.get(), m_database.line().handle(), m_database.path()));
}

Result<> PostgresStatement::prepare()
{
    m_types.resize(m_values.size());
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        if (const quint32 type = typeOf(m_values.at(i)); type != 0)
            m_types[i] = type;
    }
    const QByteArray name = m_database.nextName();
    PostgresLine &line = m_database.line();
    PQsendPrepare(line.handle(), name.constData(), m_sql.constData(), int(m_types.size()), m_types.constData());
    const PostgresAnswer answer = line.await();
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK)
        return core::fail(errorOf(answer));
    m_name = name;
    m_connection = m_database.connection();
    PostgresDatabase::wasUnderstood(text());
    return m_types.contains(0) ? describe() : Result<>();
}

Result<> PostgresStatement::describe()
{
    PQsendDescribePrepared(m_database.line().handle(), m_name.constData());
    const PostgresAnswer answer = m_database.line().await();
    if (PQresultStatus(answer.get()) != PGRES_COMMAND_OK)
        return core::fail(errorOf(answer));
    for (qsizetype i = 0; i < m_types.size(); ++i)
        m_types[i] = PQparamtype(answer.get(), int(i));
    return {};
}

// The server may have taken a value that was NULL for a smaller number, or for a text.
bool PostgresStatement::hasRoomFor(const QVariant &value, int number) const
{
    const quint32 type = m_types.at(number);
    const qint64 whole = isWhole(value) ? value.toLongLong() : 0;
    if (type == int4Type)
        return whole >= std::numeric_limits<qint32>::min() && whole <= std::numeric_limits<qint32>::max();
    return value.typeId() != QMetaType::QByteArray || type == byteaType;
}

Result<> PostgresStatement::execute()
{
    if (m_database.line().isStopped())
        return core::fail(core::ErrorKind::Cancelled, Text::tr("The search was stopped."));
    if (!isPrepared())
        TRY(prepare());
    for (int i = 0; i < int(m_values.size()); ++i) {
        if (!hasRoomFor(m_values.at(i), i)) {
            m_name.clear(); // few: it stays on the server until the connection ends
            std::fill(m_types.begin(), m_types.end(), 0);
            TRY(prepare());
            break;
        }
    }
    QList<Parameter> parameters;
    QList<const char *> values;
    QList<int> lengths;
    QList<int> formats;
    parameters.reserve(m_values.size());
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        const QVariant &value = m_values.at(i);
        parameters.append(value.isNull() ? Parameter{} : parameterOf(value, m_types.at(i)));
        values.append(value.isNull() ? nullptr : parameters.constLast().bytes.constData());
        lengths.append(int(parameters.constLast().bytes.size()));
        formats.append(parameters.constLast().binary ? 1 : 0);
    }
    constexpr int binary = 1;
    m_row = -1;
    PQsendQueryPrepared(m_database.line().handle(), m_name.constData(), int(values.size()), values.constData(),
                        lengths.constData(), formats.constData(), binary);
    m_answer = m_database.line().await();
    const ExecStatusType status = PQresultStatus(m_answer.get());
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ? Result<>() : core::fail(errorOf(m_answer));
}

int PostgresStatement::changedRows() const
{
    return QByteArray(PQcmdTuples(m_answer.get())).toInt();
}

Result<bool> PostgresStatement::next()
{
    ++m_row;
    return m_row < PQntuples(m_answer.get());
}

void PostgresStatement::finish()
{
    m_answer.reset();
    m_values.clear();
}

QByteArrayView PostgresStatement::bytes(int column) const
{
    return {PQgetvalue(m_answer.get(), m_row, column), PQgetlength(m_answer.get(), m_row, column)};
}

bool PostgresStatement::isNull(int column) const
{
    return PQgetisnull(m_answer.get(), m_row, column) != 0;
}

QVariant PostgresStatement::value(int column) const
{
    if (isNull(column))
        return {};
    switch (PQftype(m_answer.get(), column)) {
    case boolType:
    case int2Type:
    case int4Type:
    case int8Type:
    case numericType:
        return integer(column);
    case byteaType:
        return blob(column);
    default:
        return text(column);
    }
}

qint64 PostgresStatement::integer(int column) const
{
    const QByteArrayView at = bytes(column);
    if (at.isEmpty()) // NULL
        return 0;
    switch (PQftype(m_answer.get(), column)) {
    case boolType:
        return at.front() != 0 ? 1 : 0;
    case int2Type:
        return qFromBigEndian<qint16>(at.data());
    case int4Type:
        return qFromBigEndian<qint32>(at.data());
    case int8Type:
        return qFromBigEndian<qint64>(at.data());
    case numericType:
        return wholePart(at);
    default:
        return at.toLongLong();
    }
}

QString PostgresStatement::text(int column) const
{
    switch (PQftype(m_answer.get(), column)) {
    case boolType:
    case int2Type:
    case int4Type:
    case int8Type:
    case numericType:
        return isNull(column) ? QString() : QString::number(integer(column));
    default:
        return fromUtf8(bytes(column));
    }
}

QByteArray PostgresStatement::blob(int column) const
{
    return bytes(column).toByteArray();
}

} // namespace store
