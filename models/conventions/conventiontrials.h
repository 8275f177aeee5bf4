#pragma once

#include "backend/api/requests/conventions.h"
#include "backend/records/editing/difference.h"
#include "models/session/enginecall.h"

namespace models {

// Shows what a convention would do to real messages, one at a time. The engine writes nothing for it. GUI thread.
class ConventionTrials final : public QObject
{
    Q_OBJECT

public:
    // `first`: the message to show first; invalid: any of the filter.
    ConventionTrials(ConsoleSession &session, core::MessageId first, const records::MessageFilter &filter,
                     QObject *parent = nullptr);

    void show(const QByteArray &file); // a convention as JSON
    void next();
    void previous();
    [[nodiscard]] bool hasNext() const { return m_at + 1 < m_trials.size(); }
    [[nodiscard]] bool hasPrevious() const { return m_at > 0; }
    [[nodiscard]] qsizetype count() const { return m_trials.size(); }
    [[nodiscard]] qsizetype at() const { return m_at; }
    // Null: there is none, or the engine refused.
    [[nodiscard]] const api::ConventionTrial *trial() const;
    [[nodiscard]] const records::Difference &difference() const { return m_difference; } // of what is sent
    [[nodiscard]] QString error() const { return m_error; }

Q_SIGNALS:
    void changed();

private:
    void ask();
    void askForOthers(const QList<api::ConventionTrial> &first);
    void take(const core::Result<QList<api::ConventionTrial>> &trials);
    void compare();

    core::MessageId m_first;
    records::MessageFilter m_filter;
    QByteArray m_file;
    EngineCall m_call;
    QList<api::ConventionTrial> m_trials;
    qsizetype m_at = 0;
    records::Difference m_difference;
    QString m_error;
};

} // namespace models
