#pragma once

#include "models/session/consolesession.h"
#include "tests/support/child.h"
#include "tests/support/fakeclient/consolescene.h"
#include "views/mainwindow/mainwindow.h"

#include <QMenu>
#include <QSettings>
#include <QTemporaryDir>

namespace support {

// The whole window on the scene, for the tests that drive it. prepare(), perhaps change the client, then show().
class ConsoleWindow : public QObject
{
    Q_OBJECT

protected:
    // Every n-th message of the scene: fewer are quick under sanitizers.
    void prepare(int every);
    void show(); // fails the test when no window comes
    void shut();
    // The menu of the first queue, opened as with the right button; null when there is no queue.
    QMenu *openQueueMenu();
    static QAction *entryOf(const QMenu &menu, const QString &text); // null when the menu has none

    template<typename T>
    T *child(const char *name)
    {
        return test::child<T>(*m_window, name);
    }

    std::unique_ptr<QTemporaryDir> m_profile;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<FakeClient> m_client;
    std::unique_ptr<models::ConsoleSession> m_session;
    std::unique_ptr<views::Preferences> m_preferences;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<views::MainWindow> m_window;
};

} // namespace support
