#pragma once

#include "backend/records/editing/difference.h"
#include "models/edits/bodyform.h"
#include "models/edits/editedheaders.h"
#include "models/session/enginecall.h"

#include <QTimer>

#include <functional>

namespace models {

// One message that a person edits before it is sent again: the original, the changes so far, and whether the result can
// be sent. 200 ms after the last change it computes the difference on a worker thread, then lets the engine check the
// edit. GUI thread.
class MessageEdit final : public QObject
{
    Q_OBJECT

public:
    enum class State { Reading, Ready, Failed };

    // `filter` must select this message alone.
    MessageEdit(ConsoleSession &session, records::MessageFilter filter, core::MessageId message,
                QObject *parent = nullptr);

    void read(); // loads the message; stateChanged tells the result
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] const api::EditSample &original() const { return m_original; }
    [[nodiscard]] EditedHeaders *headers() { return &m_headers; }
    [[nodiscard]] const BodyForm &body() const { return m_body; }
    [[nodiscard]] QString bodyNotEditable() const; // why; empty: it can be edited

    // `source` returns the current text of the body editor. It is called only when needed, because the text can be
    // long.
    void setBodySource(std::function<QString()> source) { m_source = std::move(source); }
    void bodyTouched(); // call it after each change in the body editor

    [[nodiscard]] bool isChanged() const;
    [[nodiscard]] records::Edit edit() const;
    [[nodiscard]] const records::Difference &difference() const { return m_difference; }
    // Why the message cannot be sent like this; empty: it can.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] QString warning() const { return m_warning; } // a problem that does not stop it; empty: none

Q_SIGNALS:
    void stateChanged();
    void changed(); // the headers or the body changed
    void checked(); // difference, problem and warning match the current text

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
    // `shown` is the text of the body editor: a JSON error is located in it.
    [[nodiscard]] static Check checkOf(const records::Envelope &before, const records::Envelope &after,
                                       const QString &shown);
    void touch();
    void check();
    void take(const Check &check);

    ConsoleSession &m_session;
    records::MessageFilter m_filter;
    core::MessageId m_message;
    State m_state = State::Reading;
    QString m_failure;
    api::EditSample m_original;
    EditedHeaders m_headers;
    BodyForm m_body;
    std::function<QString()> m_source;
    QTimer m_pause; // runs since the last change
    records::Difference m_difference;
    QString m_misfit;
    QString m_warning;
    EngineCall m_check; // of the newest text
};

} // namespace models
