#pragma once

#include "backend/api/client.h"
#include "backend/records/difference.h"
#include "models/edits/bodyform.h"
#include "models/edits/editedheaders.h"

#include <QTimer>

#include <functional>

namespace models {

// One message being edited before it is sent again: how it would go as it is, what was changed so far, and whether that may
// go. The difference is worked out off the GUI thread a moment after the last change; the engine is asked then, too.
class MessageEdit final : public QObject
{
    Q_OBJECT

public:
    enum class State { Reading, Ready, Failed };

    // `filter` is of this message alone.
    MessageEdit(api::EngineClient &client, records::MessageFilter filter, core::MessageId message,
                QObject *parent = nullptr);

    void read();
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const api::EditSample &original() const { return m_original; }
    [[nodiscard]] EditedHeaders *headers() { return &m_headers; }
    [[nodiscard]] const BodyForm &body() const { return m_body; }
    [[nodiscard]] QString bodyNotEditable() const; // empty: it can be changed

    // Where the text of the body stands now. Asked for only when it is needed: it can be long.
    void setBodySource(std::function<QString()> source) { m_source = std::move(source); }
    void bodyTouched();

    [[nodiscard]] bool isChanged() const;
    [[nodiscard]] records::Edit edit() const;
    [[nodiscard]] const records::Difference &difference() const { return m_difference; }
    // Why it cannot go like this; empty: it can.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString warning() const { return m_warning; } // it can, but

Q_SIGNALS:
    void stateChanged();
    void changed(); // something was edited
    void checked(); // difference, problem and warning are of what stands there now

private:
    struct Check
    {
        records::Difference difference;
        records::Edit edit;
        QString warning;
    };
    [[nodiscard]] bool takesBody() const;
    [[nodiscard]] records::Envelope unedited() const;
    [[nodiscard]] records::Envelope edited() const;
    // `shown`: the body after it as the editor shows it.
    [[nodiscard]] static Check checkOf(const records::Envelope &before, const records::Envelope &after,
                                       const QString &shown);
    void touch();
    void check();
    void take(const Check &check);

    api::EngineClient &m_client;
    records::MessageFilter m_filter;
    core::MessageId m_message;
    State m_state = State::Reading;
    QString m_failure;
    api::EditSample m_original;
    EditedHeaders m_headers;
    BodyForm m_body;
    std::function<QString()> m_source;
    QTimer m_pause; // since the last change
    records::Difference m_difference;
    QString m_misfit;
    QString m_warning;
    quint64 m_wish = 0; // the newest check; what older ones found is dropped
};

} // namespace models
