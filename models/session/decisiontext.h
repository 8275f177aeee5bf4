#pragma once

#include "backend/api/commands.h"
#include "models/session/permissions.h"

#include <QCoreApplication>
#include <QString>

namespace models {

// How the window asks about a decision on messages of one status, and how it tells its end. One place, so that the question, the
// button and the sentence afterwards speak of the same thing. Plain text.
struct DecisionText
{
    Q_DECLARE_TR_FUNCTIONS(DecisionText)

public:
    QString verb; // of the title and of what opens the question: "Take back"
    QString action; // of the button, with the number in it: "Take 12 messages back"
    QString question; // "Take %1 messages back?", with the number in it
    QString consequences;
    QString done; // "Took %1 messages back: …", likewise
    QString nothing; // instead of it, when none was changed
    QString failed; // "Taking back failed"
    QString none; // there is no such message any more: nothing to ask about
};

// What a decision is about when its filter does not say it.
[[nodiscard]] records::MessageStatus statusOf(const api::DecisionCommand &command);
[[nodiscard]] records::MessageStatus statusOf(api::Decision decision);
[[nodiscard]] Verb verbFor(api::Decision decision); // the right it needs
// What can be decided about messages of this status; nothing about Unresolved ones, which have buttons of their own.
[[nodiscard]] QList<api::Decision> decisionsOn(records::MessageStatus status);
[[nodiscard]] QString decisionEntry(api::Decision decision, records::MessageStatus status); // "Take back…"
[[nodiscard]] DecisionText decisionText(const api::DecisionCommand &command, qint64 count);

} // namespace models
