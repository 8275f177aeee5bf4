// The conventions of one's own that a store has (records/convention.h).
#pragma once

#include "backend/api/request.h"

#include <QList>

namespace api {

// A convention of the store.
struct ConventionView
{
    QString name;
    QByteArray file; // JSON
    QString setBy;
    core::TimePoint setAt{};
    qint64 messages = 0; // that were read with it
};

struct ConventionQuery
{
    using Answer = QList<ConventionView>; // by name, in which order they are applied
    static constexpr RequestRules rules{"ConventionQuery"};
};

} // namespace api
