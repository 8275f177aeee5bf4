// Where the messages of a plan were published, and where their exchange leads now. Texts are for people and are translated.
#pragma once

#include "backend/core/fields.h"
#include "backend/core/ids.h"

#include <QStringList>

namespace api {

// As one message says, for example; other messages of the destination may have other keys.
struct PlannedRoute
{
    core::MessageId example;
    QString exchange; // empty: the default exchange
    QStringList keys; // routing keys
    QString knownFrom; // the header or field that says so: "x-death"
    QStringList queues; // that get such a message now; a retry sends only to the destination
    QString alternate; // the alternate exchange of that exchange; empty: none
    QString notKnown; // why the bindings are unknown; empty: they were read
    bool isUnbound = false; // the destination certainly gets no such message any more
    QString sentence; // all of this

    REDRIVE_FIELDS(example, exchange, keys, knownFrom, queues, alternate, notKnown, isUnbound, sentence)
    friend bool operator==(const PlannedRoute &, const PlannedRoute &) = default;
};

} // namespace api
