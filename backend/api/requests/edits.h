// The preview of an edit on one message. The edit itself is part of a plan; the plan's preview counts how many messages
// it fits.
#pragma once

#include "backend/api/request.h"
#include "backend/records/editing/edit.h"
#include "backend/records/messages/headers.h"

#include <QStringList>

namespace api {

// A header that needs care.
struct HeaderNote
{
    QString name;
    records::HeaderCare care = records::HeaderCare::Free;
    QString why; // why it is locked or sensitive

    REDRIVE_FIELDS(name, care, why)
};

// A counter of tries that starts again on a retry: with an exhausted one the message would fail again at once.
struct ResetCounter
{
    QString name; // of a header, or a path: "rascal/recovery"
    QString before;
    QString after; // empty: it is removed

    REDRIVE_FIELDS(name, before, after)
    friend bool operator==(const ResetCounter &, const ResetCounter &) = default;
};

struct EditSample
{
    core::MessageId message; // none: no message matches
    records::Envelope before; // as sent without the edit: no failure headers, no Redrive stamp
    records::Envelope after; // as sent with the edit; equals `before` when the edit does not fit
    QString misfit; // why the edit does not fit this message; empty: it fits
    QList<HeaderNote> notes; // the locked and sensitive headers of both, in their order
    QString bodyNotEditable; // why the body cannot be edited as text; empty: it can. Too long a body is left out above
    QString cannotEdit; // why no message of this connection can be edited; empty: they can
    QList<ResetCounter> counters{}; // changed by every retry, so both envelopes have them as they are sent
    QList<ResetCounter> withheld{}; // what the broker must not get back: CC, BCC and user_id of RabbitMQ; and the
    // request to confirm of an earlier retry
    QStringList emptyHeaders{}; // null headers that every retry leaves out: a missing one means the same
    QString
        addedHeader{}; // the Redrive stamp, which both envelopes get in addition; empty: the broker has no room for it
    // Headers by which the endpoint is asked to confirm the message, and the queue for its answer; both envelopes get them
    // in the place of older ones. Empty: it is not asked.
    QStringList confirmationHeaders{};
    QString answerQueue{};

    // What Redrive adds to both, as sentences.
    [[nodiscard]] QStringList additions() const
    {
        QStringList lines;
        if (!addedHeader.isEmpty())
            lines
                << Text::tr("Redrive adds the header %1, to recognize the message if it fails again.").arg(addedHeader);
        if (!confirmationHeaders.isEmpty())
            lines << Text::tr("Redrive sets the headers %1, by which the endpoint confirms the message in %2.")
                         .arg(confirmationHeaders.join(QStringLiteral(", ")), answerQueue);
        return lines;
    }

    REDRIVE_FIELDS(message, before, after, misfit, notes, bodyNotEditable, cannotEdit, counters, withheld, emptyHeaders,
                   addedHeader, confirmationHeaders, answerQueue)
};

// Shows how one message would be sent, with and without an edit. Writes nothing.
struct PreviewEdit
{
    using Answer = EditSample;
    static constexpr RequestRules rules{"PreviewEdit", AskedFrom::AnyProcess};
    [[nodiscard]] RightsNeeded rights() const { return {}; }
    [[nodiscard]] QString activity() const { return {}; }

    records::MessageFilter filter;
    core::MessageId message; // none: the first of the filter that the edit changes, else the first
    records::Edit edit; // may be empty
    bool askEndpoints = false; // as in the plan
    QString ticket{}; // for CancelWork; empty: nobody cancels

    REDRIVE_FIELDS(filter, message, edit, askEndpoints, ticket)
};

} // namespace api
