#pragma once

#include "models/common/consolefilter.h"
#include "models/common/sharedselection.h"
#include "models/session/consolesession.h"
#include "views/common/navigator.h"
#include "views/common/plaintext.h"
#include "views/common/theme.h"

#include <QWidget>

namespace views {

// What every page and pane is given. All of it outlives them.
struct Console
{
    models::ConsoleSession &session;
    models::ConsoleFilter &filter;
    models::SharedSelection &selection;
    Navigator &navigator;
    const Theme &theme;
};

// A page in the centre. Hidden pages ask the engine nothing.
class Page : public QWidget
{
    Q_OBJECT

public:
    explicit Page(const Console &console, QWidget *parent = nullptr)
        : QWidget(parent)
        , m_console(console)
    {
    }

    virtual void setActive(bool active) = 0; // in front or not
    virtual void reload() = 0; // F5
    virtual void focusFilter() = 0; // Ctrl+F
    virtual void focusList() = 0;
    [[nodiscard]] virtual models::ActionScope scope() const { return {}; } // what is selected here
    [[nodiscard]] virtual bool usesTimeRange() const { return false; }
    virtual void openCurrent() {} // Enter, from a menu
    virtual void leave() {} // for another list: what was chosen here is not acted on from afar

protected:
    [[nodiscard]] const Console &console() const { return m_console; }

private:
    Console m_console;
};

} // namespace views
