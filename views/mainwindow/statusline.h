#pragma once

#include "views/common/page.h"

#include <QStatusBar>

namespace views {

class Badge;

// Shows engine and session, connections, environment and rights, messages in doubt, store, and the last refresh. GUI
// thread.
class StatusLine final : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(const Console &console, QWidget *parent = nullptr);

    // Lets the window shrink: the line hides parts that do not fit.
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override; // hides the least important parts first

private:
    PlainLabel *addPart(const QString &objectName, const QString &name);
    void update();
    void updateConnection();
    void setShown(QWidget *part, bool shown);

    Console m_console;
    PlainLabel *m_dot;
    PlainLabel *m_engine;
    PlainLabel *m_connections;
    Badge *m_badge;
    PlainLabel *m_rights;
    PlainLabel *m_doubt;
    PlainLabel *m_store;
    PlainLabel *m_refreshed;
};

} // namespace views
