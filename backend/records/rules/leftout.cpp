#include "backend/records/rules/leftout.h"

namespace records {

qint64 LeftOutCounts::sum() const
{
    qint64 all = 0;
    for (const LeftOut why : leftOutReasons)
        all += (*this)[why];
    return all;
}

std::optional<LeftOut> LeftOutCounts::first() const
{
    const auto found =
        std::find_if(leftOutReasons.begin(), leftOutReasons.end(), [this](LeftOut why) { return (*this)[why] > 0; });
    if (found == leftOutReasons.end())
        return std::nullopt;
    return *found;
}

LeftOutCounts &LeftOutCounts::operator+=(const LeftOutCounts &other)
{
    for (const LeftOut why : leftOutReasons)
        (*this)[why] += other[why];
    return *this;
}

} // namespace records
