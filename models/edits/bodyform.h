#pragma once

#include <QByteArray>
#include <QString>

namespace models {

// A body as it stands in an editor, and back. What nobody touched comes back byte for byte: line ends stay what they were,
// and JSON that came on one line is shown in lines but goes back on one.
class BodyForm final
{
public:
    BodyForm() = default;
    explicit BodyForm(const QByteArray &body);

    [[nodiscard]] const QString &text() const { return m_text; } // for the editor
    [[nodiscard]] QByteArray body(const QString &edited) const;
    [[nodiscard]] bool isLinedUp() const { return m_join != Join::None; } // JSON, in lines that it does not have
    [[nodiscard]] QString whyNot() const { return m_whyNot; } // no editor takes it; empty: it does

private:
    enum class Join { None, Dense, Spaced }; // {"a":1,"b":2} and {"a": 1, "b": 2}
    [[nodiscard]] static QString joined(const QString &json, Join join);

    QByteArray m_body;
    QString m_text;
    QString m_whyNot;
    Join m_join = Join::None;
    bool m_carriageReturns = false; // before every line feed
};

inline constexpr qsizetype longestEditedLine = 20'000; // in an editor; longer ones stall it

} // namespace models
