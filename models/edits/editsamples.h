#pragma once

#include "backend/api/client.h"
#include "backend/records/difference.h"

namespace models {

// What an edit does to single messages of a set: first to one that it changes, then to any other, one after the other.
class EditSamples final : public QObject
{
    Q_OBJECT

public:
    EditSamples(api::EngineClient &client, records::MessageFilter filter, QObject *parent = nullptr);

    // The same message once more with another edit; the first time one that it changes.
    void show(const records::Edit &edit);
    void next();
    void previous();
    void jumpTo(core::MessageId message); // one that was named, an example of what does not fit
    [[nodiscard]] bool hasNext() const;
    [[nodiscard]] bool hasPrevious() const { return m_at > 0; }

    [[nodiscard]] bool isAsking() const { return m_asking; }
    [[nodiscard]] QString error() const { return m_error; } // why nothing is shown
    [[nodiscard]] const api::EditSample &sample() const { return m_sample; }
    [[nodiscard]] const records::Difference &difference() const { return m_difference; }
    [[nodiscard]] QString text() const; // "Sample 2 of 14,207 · Shop.PlaceOrder · 8f2c1c9e"

Q_SIGNALS:
    void changed();

private:
    void ask(core::MessageId message);
    void askForMore();
    void askForName();
    void take(const api::EditSample &sample);

    api::EngineClient &m_client;
    records::MessageFilter m_filter;
    records::Edit m_edit;
    QList<core::MessageId> m_messages; // the ones known so far, in the order they are shown
    QString m_cursor; // of the page behind them; empty with m_total: all are known
    std::optional<qint64> m_total; // nothing: no page was asked for yet
    qsizetype m_at = 0;
    bool m_asking = false;
    bool m_wantsNext = false; // when the page has come
    QString m_error;
    api::EditSample m_sample;
    records::Difference m_difference;
    QString m_name;
    quint64 m_question = 0;
};

} // namespace models
