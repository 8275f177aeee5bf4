#pragma once

#include "views/mainwindow/mainwindow.h"

namespace views {

class PoliciesPage;

// Adds the recovery policies to the window: the Policies page, the banner about a policy that needs attention, and the
// dialogs that pages request. Lives as long as the window. GUI thread.
class PolicyController final : public QObject
{
    Q_OBJECT

public:
    explicit PolicyController(MainWindow &window);

private:
    void open(const QString &policy);
    void openAssignment(const recovery::Scope &scope, const QString &words);
    void addPolicy();
    void update();
    [[nodiscard]] const Console &console() const { return m_window.console(); }

    MainWindow &m_window;
    PoliciesPage *m_page;
    Banner *m_banner;
};

} // namespace views
