#include "models/common/roles.h"
#include "views/common/eventwatchdog.h"
#include "views/common/lists/celldelegate.h"
#include "views/common/lists/datatable.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/resources.h"
#include "views/common/theme/systemcolorscheme.h"
#include "views/common/theme/theme.h"
#include "views/common/widgets/badge.h"
#include "views/common/widgets/elidedlabel.h"
#include "tests/support/testmain/testmain.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QHelpEvent>
#include <QPixmapCache>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyleOptionComboBox>
#include <QTest>
#include <QToolTip>

#include <cmath>

using views::ColorScheme;
using views::Token;

namespace {

// WCAG 2.1, relative luminance and contrast ratio.
double luminance(const QColor &color)
{
    const auto part = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF());
}

double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

} // namespace

class TestLook final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTextIsReadable_data();
    void everyTextIsReadable();
    void styleSheetHasNoTokenLeft_data();
    void styleSheetHasNoTokenLeft();
    void everyIconDraws();
    void iconsFollowTheTheme();
    void toolTipsAreNeverHtml();
    void portalDecidesOverThePalette();
    void oneIsSingular();
    void elidedLabelNeedsLittleRoom();
    void aBoxNeverCutsALetter();
    void aCutColumnNameIsToldInFull();
    void namesAreCutInFront();
    void theFirstColumnKeepsItsRoom();
    void theDemoHasAWordAndAColourOfItsOwn();
    void watchdogNamesTheWorst();
    void watchdogCountsOnlyTheOutermost();
};

void TestLook::everyTextIsReadable_data()
{
    QTest::addColumn<int>("ink");
    QTest::addColumn<int>("ground");
    QTest::addColumn<int>("shade");
    for (const ColorScheme shade : {ColorScheme::Light, ColorScheme::Dark}) {
        for (const Token ink : {Token::Text, Token::Muted, Token::Ok, Token::Warn, Token::Bad, Token::Accent}) {
            for (const Token ground : {Token::Window, Token::Panel}) {
                const QString name = views::nameOf(ink) + QStringLiteral(" on ") + views::nameOf(ground);
                QTest::addRow("%s, %s", qPrintable(name), shade == ColorScheme::Light ? "light" : "dark")
                    << int(ink) << int(ground) << int(shade);
            }
        }
        for (const Token ground : {Token::Selection, Token::Hover, Token::Notice, Token::BarRunning, Token::BarDone})
            QTest::addRow("text on %s, %s", qPrintable(views::nameOf(ground)),
                          shade == ColorScheme::Light ? "light" : "dark")
                << int(Token::Text) << int(ground) << int(shade);
        QTest::addRow("primary button, %s", shade == ColorScheme::Light ? "light" : "dark")
            << int(Token::ButtonText) << int(Token::Button) << int(shade);
    }
}

void TestLook::everyTextIsReadable()
{
    QFETCH(int, ink);
    QFETCH(int, ground);
    QFETCH(int, shade);
    const double ratio =
        contrast(views::color(Token(ink), ColorScheme(shade)), views::color(Token(ground), ColorScheme(shade)));
    QVERIFY2(ratio >= 4.5, qPrintable(QString::number(ratio)));
}

void TestLook::styleSheetHasNoTokenLeft_data()
{
    QTest::addColumn<int>("shade");
    QTest::newRow("light") << int(ColorScheme::Light);
    QTest::newRow("dark") << int(ColorScheme::Dark);
}

void TestLook::styleSheetHasNoTokenLeft()
{
    QFETCH(int, shade);
    const views::Theme theme(ColorScheme(shade) == ColorScheme::Light ? views::ThemeMode::Light
                                                                      : views::ThemeMode::Dark);
    const QString sheet = views::styleSheet(ColorScheme(shade));
    QVERIFY(sheet.size() > 1000);
    QVERIFY(!sheet.contains(QLatin1Char('@')));
    QCOMPARE(theme.color(Token::Panel), views::color(Token::Panel, ColorScheme(shade)));
}

void TestLook::everyIconDraws()
{
    const views::Theme theme(views::ThemeMode::Light);
    const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
    QVERIFY(files.size() > 20);
    for (const QString &file : files) {
        const QImage image = theme.icon(file.chopped(4)).pixmap(32, 32).toImage();
        bool drawn = false;
        for (int y = 0; y < image.height() && !drawn; ++y) {
            for (int x = 0; x < image.width() && !drawn; ++x)
                drawn = qAlpha(image.pixel(x, y)) > 0;
        }
        QVERIFY2(drawn, qPrintable(file));
    }
}

void TestLook::iconsFollowTheTheme()
{
    views::Theme theme(views::ThemeMode::Light);
    const QIcon icon = theme.icon(QStringLiteral("stop"));
    const QImage light = icon.pixmap(32, 32).toImage();
    QSignalSpy changed(&theme, &views::Theme::changed);
    theme.setMode(views::ThemeMode::Dark);
    QCOMPARE(changed.size(), 1);
    QVERIFY(icon.pixmap(32, 32).toImage() != light);
}

void TestLook::toolTipsAreNeverHtml()
{
    QCOMPARE(views::plainToolTip({}), QString());
    QVERIFY(views::plainToolTip(QStringLiteral("<img src=x>")).contains(QStringLiteral("&lt;img src=x&gt;")));
    QCOMPARE(views::withoutMnemonics(QStringLiteral("a & b")), QStringLiteral("a && b"));
    const views::PlainLabel label(QStringLiteral("<b>x</b>"));
    QCOMPARE(label.textFormat(), Qt::PlainText);
}

void TestLook::portalDecidesOverThePalette()
{
    views::SystemColorScheme system;
    QSignalSpy changed(&system, &views::SystemColorScheme::changed);
    const ColorScheme before = system.shade();
    system.take(1);
    QVERIFY(system.shade() == ColorScheme::Dark);
    system.take(2);
    QVERIFY(system.shade() == ColorScheme::Light);
    system.take(0);
    QVERIFY(system.shade() == before);
    QVERIFY(changed.size() >= 1);
}

void TestLook::oneIsSingular()
{
    const auto connections = [](int n) {
        return QCoreApplication::translate("views::StatusLine", "%1 connections", nullptr, n).arg(n);
    };
    QCOMPARE(connections(1), QStringLiteral("1 connections")); // the source text knows no plural forms
    views::installPlurals(*QCoreApplication::instance());
    QCOMPARE(connections(1), QStringLiteral("1 connection"));
    QCOMPARE(connections(0), QStringLiteral("0 connections"));
    QCOMPARE(connections(14), QStringLiteral("14 connections"));
    QCOMPARE(QCoreApplication::translate("engine", "in %n selected group(s)", nullptr, 1),
             QStringLiteral("in 1 selected group"));
}

void TestLook::aCutColumnNameIsToldInFull()
{
    const views::Theme theme(views::ThemeMode::Light);
    views::DataTable table(theme, -1);
    QStandardItemModel model(1, 2);
    model.setHorizontalHeaderLabels({QStringLiteral("A <b>very</b> long name of a column"), QStringLiteral("Short")});
    table.setModel(&model);
    table.setWidths({60, 200}, -1);
    table.resize(300, 100);
    table.show();
    QVERIFY(QTest::qWaitForWindowExposed(&table));
    QWidget *header = table.horizontalHeader()->viewport();
    const auto tipAt = [header](int x) {
        QHelpEvent help(QEvent::ToolTip, QPoint(x, 5), header->mapToGlobal(QPoint(x, 5)));
        QCoreApplication::sendEvent(header, &help);
        return QToolTip::text();
    };
    QVERIFY(tipAt(20).contains(QStringLiteral("A &lt;b&gt;very&lt;/b&gt; long name of a column")));
    tipAt(120); // there is nothing that cannot be read
    QTRY_VERIFY(!QToolTip::isVisible()); // Qt takes a moment
}

void TestLook::theDemoHasAWordAndAColourOfItsOwn()
{
    using records::Environment;
    views::Badge badge;
    badge.showDemo();
    QCOMPARE(badge.text(), QStringLiteral("DEMO"));
    const QColor ground = badge.grab().toImage().pixelColor(badge.width() / 2, 1);
    for (const Environment other : {Environment::Development, Environment::Test, Environment::Production})
        QVERIFY(ground != views::environmentColor(other));
    QVERIFY(contrast(Qt::white, ground) >= 4.5);
}

// What a box shows of a long entry is what it shows of the same entry with an ellipsis.
void TestLook::aBoxNeverCutsALetter()
{
    views::WideComboBox box;
    box.addItem(QString(40, u'm'));
    QComboBox plain;
    plain.addItem(box.currentText());
    for (QComboBox *one : {static_cast<QComboBox *>(&box), &plain}) {
        one->resize(120, 30);
        one->ensurePolished();
    }
    const QImage cut = plain.grab().toImage();
    const QImage shown = box.grab().toImage();
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    const QRect edge(field.right() - 3, field.top() + 4, 3, field.height() - 8);
    const auto colors = [&edge](const QImage &image) {
        QSet<QRgb> found;
        const QImage part = image.copy(edge);
        for (int y = 0; y < part.height(); ++y) {
            for (int x = 0; x < part.width(); ++x)
                found.insert(part.pixel(x, y));
        }
        return found.size();
    };
    QVERIFY(colors(cut) > 1); // Qt's own box draws letters to its edge
    QCOMPARE(colors(shown), 1);
}

void TestLook::elidedLabelNeedsLittleRoom()
{
    const QString text = QStringLiteral("<b>Marking</b> Documents of a very long operation");
    const views::ElidedLabel label(text);
    QCOMPARE(label.text(), text);
    QVERIFY(label.textFormat() == Qt::PlainText);
    QVERIFY(label.minimumSizeHint().width() < label.sizeHint().width() / 4);
}

void TestLook::namesAreCutInFront()
{
    const views::Theme theme(views::ThemeMode::Light);
    QStandardItemModel model(2, 1);
    const QString tail = QStringLiteral(" and then a tail that both of them have in common");
    const auto drawn = [&](Qt::TextElideMode mode) {
        views::DataTable table(theme, -1);
        model.setItem(0, new QStandardItem(QStringLiteral("One beginning") + tail));
        model.setItem(1, new QStandardItem(QStringLiteral("Another first") + tail));
        for (int row = 0; row < 2; ++row)
            model.item(row)->setData(int(mode), models::ElideRole);
        table.setModel(&model);
        table.setWidths({140}, -1);
        table.resize(200, 120);
        const QImage whole = table.viewport()->grab().toImage();
        const int high = table.rowHeight(0);
        return whole.copy(0, 0, 140, high) == whole.copy(0, high, 140, high);
    };
    QVERIFY(drawn(Qt::ElideLeft));
    QVERIFY(!drawn(Qt::ElideRight));
}

void TestLook::theFirstColumnKeepsItsRoom()
{
    const views::Theme theme(views::ThemeMode::Light);
    QStandardItemModel model(1, 3);
    views::DataTable table(theme, -1);
    table.setModel(&model);
    table.setWidths({0, 150, 150}, 0, 200);
    table.show();
    table.resize(900, 200);
    QCOMPARE(table.columnWidth(0), table.viewport()->width() - 300);
    table.setColumnHidden(2, true);
    QCOMPARE(table.columnWidth(0), table.viewport()->width() - 150);
    table.setColumnHidden(2, false);
    table.resize(220, 200);
    QCOMPARE(table.columnWidth(0), 200); // the others are a scroll away
}

void TestLook::watchdogNamesTheWorst()
{
    using namespace std::chrono_literals;
    views::EventWatchdog watchdog(100ms);
    watchdog.record(QStringLiteral("Paint for A"), 20ms);
    watchdog.record(QStringLiteral("Timer for B"), 140ms);
    watchdog.record(QStringLiteral("Paint for C"), 100ms);
    QCOMPARE(watchdog.worst().event, QStringLiteral("Timer for B"));
    QCOMPARE(watchdog.offences().size(), 1);
    QCOMPARE(watchdog.events(), 3);
}

void TestLook::watchdogCountsOnlyTheOutermost()
{
    views::EventWatchdog watchdog;
    watchdog.begin();
    watchdog.begin();
    watchdog.end(QStringLiteral("inner"));
    QCOMPARE(watchdog.events(), 0);
    watchdog.end(QStringLiteral("outer"));
    QCOMPARE(watchdog.events(), 1);
    QCOMPARE(watchdog.worst().event, QStringLiteral("outer"));
    QVERIFY(watchdog.worst().cpu.count() >= 0);
}

REDRIVE_WIDGET_TEST(TestLook)
#include "tst_look.moc"
