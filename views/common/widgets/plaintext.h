// Qt guesses whether a text is HTML. These helpers make sure that no text from a broker is taken for HTML.
#pragma once

#include <QLabel>
#include <QString>

namespace views {

// A label that always shows its text as plain text.
class PlainLabel : public QLabel
{
    Q_OBJECT

public:
    explicit PlainLabel(const QString &text = {}, QWidget *parent = nullptr);
};

// The text as a tool tip: escaped and wrapped, with its line ends.
[[nodiscard]] QString plainToolTip(const QString &text);
// Returns the text that was given to plainToolTip(); returns any other tool tip unchanged.
[[nodiscard]] QString wordsOfToolTip(const QString &tip);

// For buttons and menu entries: doubles each ampersand, so that it is shown instead of making a shortcut.
[[nodiscard]] QString withoutMnemonics(QString text);

} // namespace views
