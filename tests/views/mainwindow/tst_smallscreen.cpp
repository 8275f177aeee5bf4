// What the window does where the screen is smaller than its first size.
#include "tests/views/mainwindow/consolewindow.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <QTest>

class TestSmallScreen final : public support::ConsoleWindow
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstWindowIsSeenWhole();
    void theStatusLineFitsANarrowWindow();
};

void TestSmallScreen::theFirstWindowIsSeenWhole()
{
    prepare(100);
    m_window = std::make_unique<views::MainWindow>(*m_session, *m_preferences, *m_theme);
    const QSize screen = m_window->screen()->availableSize();
    QCOMPARE(screen, QSize(1280, 720));
    QVERIFY(m_window->width() > screen.width()); // or this proves nothing
    m_window->fitScreen();
    m_client->publish();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    constexpr int frame = 32; // what a window manager puts above it
    QVERIFY(m_window->width() <= screen.width());
    QVERIFY(m_window->height() + frame <= screen.height());
    const QWidget *status = m_window->statusBar();
    QVERIFY(m_window->rect().contains(QRect(status->mapTo(m_window.get(), QPoint()), status->size())));
    shut();
}

void TestSmallScreen::theStatusLineFitsANarrowWindow()
{
    prepare(100);
    m_client->snapshot.inDoubtTotal = 925'000;
    m_client->snapshot.storePath = QStringLiteral("/var/lib/redrive/a store with a rather long name.db");
    show();
    m_client->publish();
    for (const int width : {1280, 1199, 1024}) {
        m_window->resize(width, 700);
        QTRY_COMPARE(m_window->width(), width); // nothing keeps it wide
        QTRY_COMPARE(m_window->statusBar()->width(), m_window->width());
        QLabel *refreshed = child<QLabel>("refreshed");
        QTRY_VERIFY(refreshed->geometry().right() < m_window->statusBar()->width());
        QCOMPARE(child<QLabel>("connectionCount")->isVisible(), m_window->width() >= 1200);
    }
    shut();
}

int main(int argc, char **argv)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("screens.json")));
    if (!file.open(QIODevice::WriteOnly))
        return 1;
    file.write(R"({"screens": [{"name": "small", "x": 0, "y": 0, "width": 1280, "height": 720}]})");
    file.close();
    qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + file.fileName().toLocal8Bit());
    const QApplication application(argc, argv);
    TestSmallScreen test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_smallscreen.moc"
