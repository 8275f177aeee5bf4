#pragma once

#include "models/common/consolefilter.h"
#include "models/common/sharedselection.h"
#include "models/session/consolesession.h"
#include "views/common/navigator.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/plaintext.h"

#include <QLayout>
#include <QWidget>

namespace views {

// What every page and pane works with. All of it must outlive them.
struct Console
{
    models::ConsoleSession &session;
    models::ConsoleFilter &filter;
    models::SharedSelection &selection;
    Navigator &navigator;
    const Theme &theme;
};

// A page in the centre of the window. Inactive pages query nothing. GUI thread.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(const Console &console, QWidget *parent = nullptr)
        : QWidget(parent)
        , m_console(console)
    {
    }

    virtual void setActive(bool active) = 0; // called when the page comes to the front or leaves it
    virtual void reload() = 0; // F5
    virtual void focusFilter() = 0; // Ctrl+F
    virtual void focusList() = 0;
    [[nodiscard]] virtual models::ActionScope scope() const { return {}; } // the selection that actions act on
    [[nodiscard]] virtual bool usesTimeRange() const { return false; }
    virtual void openCurrent() {} // opens the current row, for the menu entry
    // A page that is higher than its place scrolls. That is so only where its lists are smaller than they may be: their
    // usual heights do not count.
    [[nodiscard]] int heightForWidth(int width) const override
    {
        return layout() == nullptr ? QWidget::heightForWidth(width) : layout()->totalMinimumHeightForWidth(width);
    }
    virtual void leave() {} // another list comes to the front: reduce the selection, so that nobody acts on it unseen

protected:
    [[nodiscard]] const Console &console() const { return m_console; }

private:
    Console m_console;
};

} // namespace views
