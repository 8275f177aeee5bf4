#pragma once

#include "backend/api/requests/edits.h"
#include "backend/records/editing/difference.h"
#include "models/session/enginecall.h"

namespace models {

// Shows what an edit does to single messages of a set, one at a time. It starts with one that the edit changes. GUI
// thread.
class EditSamples final : public QObject
{
    Q_OBJECT

public:
    EditSamples(ConsoleSession &session, records::MessageFilter filter, QObject *parent = nullptr);

    // Shows the current message with this edit; the first call picks a message that the edit changes. `askEndpoints`: as in
    // the plan.
    void show(const records::Edit &edit, bool askEndpoints = false);
    void next();
    void previous();
    void jumpTo(core::MessageId message); // such as an example that the edit does not fit
    [[nodiscard]] bool hasNext() const;
    [[nodiscard]] bool hasPrevious() const { return m_at > 0; }

    [[nodiscard]] bool isAsking() const { return m_call.isPending(); }
    [[nodiscard]] QString error() const { return m_error; } // why there is no sample; empty: there is one
    [[nodiscard]] const api::EditSample &sample() const { return m_sample; }
    [[nodiscard]] const records::Difference &difference() const { return m_difference; }
    // The retry counters that start again in this message: "retries: 3, set to 0"; empty: none.
    [[nodiscard]] QString counters() const;
    [[nodiscard]] QString text() const; // "Sample 2 of 14,207 · Shop.PlaceOrder · 8f2c1c9e"

Q_SIGNALS:
    void changed();

private:
    void ask(core::MessageId message);
    void askForMore();
    void askForName();
    void take(const api::EditSample &sample);

    records::MessageFilter m_filter;
    records::Edit m_edit;
    bool m_askEndpoints = false;
    QList<core::MessageId> m_messages; // known so far, in display order
    QString m_cursor; // of the next page; empty while m_total is set: all are known
    std::optional<qint64> m_total; // nothing: no page was read yet
    qsizetype m_at = 0;
    QString m_error;
    api::EditSample m_sample;
    records::Difference m_difference;
    QString m_name;
    EngineCall m_call;
    EngineCall m_nameCall;
    EngineCall m_moreCall;
};

} // namespace models
