#pragma once

#include "backend/api/commands.h"

#include <QCoreApplication>
#include <QString>

namespace models {

// How the window asks about a decision on messages of one status, and how it tells its end. One place, so that the question, the
// button and the sentence afterwards speak of the same thing. Plain text.
struct DecisionWords
{
    Q_DECLARE_TR_FUNCTIONS(DecisionWords)

public:
    QString verb; // of the button and the title: "Take back"
    QString question; // "Take %1 messages back?", with the number in it
    QString consequences;
    QString done; // "Took %1 messages back: …", likewise
    QString nothing; // instead of it, when none was changed
    QString failed; // "Taking back failed"
    QString none; // there is no such message any more: nothing to ask about
};

// What a decision is about when its filter does not say it.
[[nodiscard]] records::MessageStatus statusOf(const api::DecisionCommand &command);
[[nodiscard]] DecisionWords decisionWords(const api::DecisionCommand &command, qint64 count);

} // namespace models
