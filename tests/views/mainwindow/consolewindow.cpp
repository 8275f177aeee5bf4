#include "tests/views/mainwindow/consolewindow.h"

#include <QTest>
#include <QTreeView>

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
    m_session = std::make_unique<models::ConsoleSession>(*m_client);
}

void ConsoleWindow::show()
{
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    m_client->publish();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
}

QMenu *ConsoleWindow::openQueueMenu()
{
    auto *tree = child<QTreeView>("queueTree");
    const auto hasQueue = [tree] { return tree->model()->rowCount(tree->model()->index(0, 0)) > 0; };
    if (!QTest::qWaitFor(hasQueue))
        return nullptr;
    const QModelIndex queue = tree->model()->index(0, 0, tree->model()->index(0, 0));
    tree->setCurrentIndex(queue);
    Q_EMIT tree->customContextMenuRequested(tree->visualRect(queue).center());
    return child<QMenu>("queueMenu");
}

QAction *ConsoleWindow::entryOf(const QMenu &menu, const QString &text)
{
    const QList<QAction *> entries = menu.actions();
    const auto found =
        std::find_if(entries.begin(), entries.end(), [&text](const QAction *one) { return one->text() == text; });
    return found == entries.end() ? nullptr : *found;
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
