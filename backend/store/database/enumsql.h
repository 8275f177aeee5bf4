// Enums in SQL text. A value is bound where it can be; it stands in the text where a partial index needs a number that
// SQLite sees when it plans the statement, and where a set of values comes from a rule.
#pragma once

#include <QString>
#include <QStringList>

#include <type_traits>

namespace store {

// "3"
template<typename Enum>
requires std::is_enum_v<Enum>
[[nodiscard]] QString numberOf(Enum value)
{
    return QString::number(int(value));
}

// "(3, 6)": the values of the enum for which the rule holds.
template<typename Enum, typename Rule>
[[nodiscard]] QString sqlSet(Rule rule)
{
    QStringList numbers;
    for (int value = 0; value <= int(lastOf(Enum{})); ++value) {
        if (rule(Enum(value)))
            numbers.append(QString::number(value));
    }
    return u'(' + numbers.join(QStringLiteral(", ")) + u')';
}

} // namespace store
