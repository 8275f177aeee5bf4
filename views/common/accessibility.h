#pragma once

#include <QObject>

namespace views {

// Corrects for all widgets what Qt tells screen readers:
//  - a tool tip made by plainToolTip() describes its widget as plain text, not as HTML;
//  - a combo box has its accessible name as name and the current entry as value;
//  - the small buttons inside a line edit have names.
class Accessibility final : public QObject
{
    Q_OBJECT

public:
    // Acts on the whole application while this object exists. GUI thread.
    explicit Accessibility(QObject *parent);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
};

} // namespace views
