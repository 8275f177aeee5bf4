#include "backend/store/database/postgresql/postgressql.h"

#include "backend/store/database/sqldialect.h"

#include <array>

namespace store {

namespace {

struct Marker
{
    QLatin1String text;
    QLatin1String means; // "?": the next value
};

#define NUMBERS "unnest(CAST(translate(?, '[]', '{}') AS bigint[]))"
#define TEXTS "jsonb_array_elements_text(CAST(? AS jsonb))"
#define NUMBERED(elements)                                                                                             \
    "(SELECT ordinality - 1 AS key, value FROM " elements " WITH ORDINALITY AS l (value, ordinality))"

// Longer ones before those that they begin with.
constexpr std::array markers{
    Marker{QLatin1String(SQL_LIST_VALUES), QLatin1String("(SELECT " NUMBERS ")")},
    Marker{QLatin1String(SQL_TEXT_VALUES), QLatin1String("(SELECT " TEXTS ")")},
    Marker{QLatin1String(SQL_LIST), QLatin1String(NUMBERED(NUMBERS))},
    Marker{QLatin1String(SQL_TEXTS), QLatin1String(NUMBERED(TEXTS))},
    Marker{QLatin1String(SQL_HAS_PIECES), QLatin1String("message_text.text ILIKE ?")},
    Marker{QLatin1String(SQL_HAS_WORDS), QLatin1String("content_text.text @@ CAST(? AS tsquery)")},
    Marker{QLatin1String(SQL_JOIN_IN_ORDER), QLatin1String("JOIN")},
    Marker{QLatin1String(SQL_USING_NO_INDEX), QLatin1String()},
    Marker{QLatin1String(SQL_USING_INDEX("")), QLatin1String()}, // the name follows
    Marker{QLatin1String(SQL_NEWLINE), QLatin1String("chr(10)")},
    Marker{QLatin1String(SQL_GIVEN_NUMBERS), QLatin1String("given_number")},
};

#undef NUMBERS
#undef TEXTS
#undef NUMBERED

const Marker *markerAt(QStringView rest)
{
    for (const Marker &marker : markers) {
        if (rest.startsWith(marker.text))
            return &marker;
    }
    return nullptr;
}

qsizetype wordLength(QStringView rest)
{
    qsizetype length = 0;
    while (length < rest.size() && (rest[length].isLetterOrNumber() || rest[length] == u'_'))
        ++length;
    return length;
}

} // namespace

QString postgresSql(const QString &text)
{
    QString sql;
    sql.reserve(text.size() + text.size() / 4);
    int values = 0;
    const auto append = [&sql, &values](QStringView piece) {
        for (const QChar letter : piece) {
            if (letter == u'?')
                sql += u'$' + QString::number(++values);
            else
                sql += letter;
        }
    };
    qsizetype at = 0;
    while (at < text.size()) {
        const QStringView rest = QStringView(text).sliced(at);
        if (rest.front() == u'\'') {
            const qsizetype end = rest.indexOf(u'\'', 1);
            sql += rest.first(end < 0 ? rest.size() : end + 1);
            at += end < 0 ? rest.size() : end + 1;
        } else if (const Marker *const marker = markerAt(rest)) {
            append(QString(marker->means));
            at += marker->text.size();
            if (marker->text == QLatin1String(SQL_USING_INDEX("")))
                at += wordLength(rest.sliced(marker->text.size()));
        } else {
            append(rest.first(1));
            ++at;
        }
    }
    return sql;
}

} // namespace store
