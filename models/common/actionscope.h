#pragma once

#include "backend/records/filter.h"

#include <QString>

namespace models {

// What the next action would act on, as chosen on the page in front. Every button that acts names it.
struct ActionScope
{
    records::MessageFilter filter;
    qint64 count = 0; // messages
    int groups = 0; // how many groups were chosen; 0: messages were chosen
    QString words; // "2 groups", "everything in this filter except 3"; empty when the count says it all
    core::ConnectionId connection; // the one they all belong to; none: several
    qint64 asOfChange = 0; // the change number at which the list was read

    [[nodiscard]] bool isEmpty() const { return count == 0; }
    friend bool operator==(const ActionScope &, const ActionScope &) = default;
};

} // namespace models
