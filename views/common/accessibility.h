// What Qt leaves unsaid to screen readers, said in one place for all widgets:
//  - a tool tip made by plainToolTip() describes its widget in words, not in HTML;
//  - a combo box is named by what it chooses; what is chosen is its value;
//  - the small buttons inside a line edit have names.
#pragma once

#include <QObject>

namespace views {

class Accessibility final : public QObject
{
    Q_OBJECT

public:
    // For the whole application, as long as this lives. GUI thread.
    explicit Accessibility(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace views
