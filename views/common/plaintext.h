// Qt guesses whether a text is HTML. Nothing that came from a broker may be taken for it.
#pragma once

#include <QLabel>
#include <QString>

namespace views {

// A label that shows exactly its text.
class PlainLabel : public QLabel
{
    Q_OBJECT

public:
    explicit PlainLabel(const QString &text = {}, QWidget *parent = nullptr);
};

// The text as a tool tip: escaped, line ends kept, wrapped.
[[nodiscard]] QString plainToolTip(const QString &text);
// The text that was given to plainToolTip(); any other tool tip as it is.
[[nodiscard]] QString wordsOfToolTip(const QString &tip);

// For buttons and menu entries: an ampersand stays an ampersand.
[[nodiscard]] QString withoutMnemonics(QString text);

} // namespace views
