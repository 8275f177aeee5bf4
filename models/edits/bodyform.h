#pragma once

#include <QByteArray>
#include <QString>

namespace models {

// Turns a message body into text for an editor and back. Unchanged text gives back exactly the same bytes: line ends
// stay, and JSON on one line is shown on several lines but goes back on one. A value; any thread.
class BodyForm final
{
public:
    BodyForm() = default;
    explicit BodyForm(const QByteArray &body);

    [[nodiscard]] const QString &text() const { return m_text; } // for the editor
    [[nodiscard]] QByteArray body(const QString &edited) const;
    [[nodiscard]] bool isLinedUp() const { return m_join != Join::None; } // JSON on one line, shown on several
    [[nodiscard]] QString whyNot() const { return m_whyNot; } // why it cannot be edited; empty: it can

private:
    enum class Join { None, Dense, Spaced }; // {"a":1,"b":2} and {"a": 1, "b": 2}
    [[nodiscard]] static QString joined(const QString &json, Join join);

    QByteArray m_body;
    QString m_text;
    QString m_whyNot;
    Join m_join = Join::None;
    bool m_carriageReturns = false; // one before every line feed
};

inline constexpr qsizetype longestEditedLine = 20'000; // characters; longer lines make an editor hang

} // namespace models
