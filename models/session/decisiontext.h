#pragma once

#include "backend/api/requests/decisions.h"
#include "models/session/permissions.h"

#include <QCoreApplication>
#include <QString>

namespace models {

// The texts of a decision about messages of one status: question, button and result. They are together so that all of
// them use the same words. Plain text. Pure functions.
struct DecisionText
{
    Q_DECLARE_TR_FUNCTIONS(DecisionText)

public:
    QString verb; // for the title and the menu entry: "Take back"
    QString action; // for the button, with the number: "Take 12 messages back"
    QString question; // with the number: "Take 12 messages back?"
    QString consequences;
    QString done; // with the number: "Took 12 messages back. …"
    QString nothing; // instead of `done`, when no message was changed
    QString failed; // "Taking back failed"
    QString none; // instead of `question`, when there is no such message any more
};

[[nodiscard]] Verb verbFor(api::Decision decision); // its right is needed
[[nodiscard]] bool canBeUndone(api::Decision decision); // by another decision of a person
// The decisions for messages of this status. Empty for Unresolved: those messages have their own buttons.
[[nodiscard]] QList<api::Decision> decisionsOn(records::MessageStatus status);
[[nodiscard]] QString decisionEntry(api::Decision decision, records::MessageStatus status); // "Take back…"
[[nodiscard]] QString decisionUnderWay(api::Decision decision); // "Archiving messages"
[[nodiscard]] DecisionText decisionText(const api::DecideMessages &command, qint64 count);

} // namespace models
