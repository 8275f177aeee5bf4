#pragma once

#include "views/common/page.h"

#include <QStatusBar>

namespace views {

class Badge;

// Engine and session, connections, environment and rights in force, in doubt, store, last refresh.
class StatusLine final : public QStatusBar
{
    Q_OBJECT

public:
    explicit StatusLine(const Console &console, QWidget *parent = nullptr);

    // As narrow as the window: it leaves parts out, and must not stay wide because of them.
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, height()}; }

protected:
    void resizeEvent(QResizeEvent *event) override; // what counts least goes first where room is short

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
