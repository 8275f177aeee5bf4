#include "tests/views/mainwindow/consolewindow.h"

#include <QTest>

namespace support {

void ConsoleWindow::prepare(int every)
{
    m_profile = std::make_unique<QTemporaryDir>();
    m_settings = std::make_unique<QSettings>(m_profile->filePath(QStringLiteral("redrive.conf")), QSettings::IniFormat);
    m_client = std::make_unique<FakeClient>();
    fillScene(*m_client);
    QList<records::FailedMessage> fewer;
    for (qsizetype i = 0; i < m_client->store.size(); i += every)
        fewer.append(m_client->store.at(i));
    m_client->store = fewer;
    m_preferences = std::make_unique<views::Preferences>(*m_settings);
    m_theme = std::make_unique<views::Theme>(views::ThemeMode::Light);
    m_session = std::make_unique<models::ConsoleSession>(*m_client, QStringLiteral("maria"));
}

void ConsoleWindow::show()
{
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    m_client->publish();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

void ConsoleWindow::shut()
{
    m_window.reset();
    m_session.reset();
    m_theme.reset();
    m_preferences.reset();
    m_client.reset();
    m_settings.reset();
    m_profile.reset();
}

} // namespace support
