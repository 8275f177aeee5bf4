#pragma once

#include "models/common/roles.h"
#include "views/common/plaintext.h"

#include <functional>

class QPushButton;

namespace views {

// Trouble or news in words, with one action at most. Hidden while there is nothing to say.
class Banner final : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { Stays, Closable }; // closable: a person sends it away
    explicit Banner(Kind kind = Kind::Stays, QWidget *parent = nullptr);

    struct Action
    {
        QString text; // empty: no button
        std::function<void()> run;
    };
    void show(models::Tone tone, const QString &text, Action action = {});
    void dismiss();
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void keysLeft(); // it goes while the keys are in it, and hands them to whoever is connected

private:
    PlainLabel *m_text;
    QPushButton *m_button;
    std::function<void()> m_run;
};

} // namespace views
