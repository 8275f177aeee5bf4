#pragma once

#include "models/common/roles.h"
#include "views/common/widgets/plaintext.h"

#include <functional>

class QPushButton;

namespace views {

// A strip that shows trouble or news, with at most one action. Hidden until show(). GUI thread.
class Banner final : public QWidget
{
    Q_OBJECT

public:
    enum class Kind { Stays, Closable }; // Closable: the user can dismiss it
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
    void keysLeft(); // it, or its button, was hidden with the keyboard focus: the receiver takes the focus

private:
    PlainLabel *m_text;
    QPushButton *m_button;
    std::function<void()> m_run;
};

} // namespace views
