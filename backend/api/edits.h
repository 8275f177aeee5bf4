// What can be asked about editing messages before they are sent again. The edit itself is a part of the plan, whose preview says
// how many it fits.
#pragma once

#include "backend/records/edit.h"
#include "backend/records/filter.h"
#include "backend/records/headers.h"

#include <QStringList>

namespace api {

// How one message of a set would go, with and without an edit. Nothing is written.
struct EditQuestion
{
    records::MessageFilter filter;
    core::MessageId message; // this one; none: the first of the set that the edit changes, else the first
    records::Edit edit; // may be empty: how it would go as it is
};

struct HeaderNote
{
    QString name;
    records::HeaderCare care = records::HeaderCare::Free;
    QString why; // it is locked or sensitive, in words
};

struct EditSample
{
    core::MessageId message; // none: the set is empty
    records::Envelope before; // as it goes without the edit: without what tells of the failure, and without our stamp
    records::Envelope after; // as it goes with it; as `before` where it does not fit
    QString misfit; // why the edit does not fit this message; empty: it does
    QList<HeaderNote> notes; // of the headers of both that are not free, in their order
    QString bodyNotEditable; // why its body cannot be changed as text; empty: it can. A longer one is left out of both
    QString cannotEdit; // why nothing of this set can be edited: rights, the broker; empty: it can
};

} // namespace api
