#include "tests/support/testmain/testmain.h"
#include "views/common/lists/widecombobox.h"
#include "views/common/theme/theme.h"

#include <QStyleOptionComboBox>
#include <QTest>

namespace {

class Box final : public views::WideComboBox
{
public:
    [[nodiscard]] int room() const
    {
        QStyleOptionComboBox option;
        initStyleOption(&option);
        return style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this).width();
    }
};

} // namespace

class TestWideComboBox final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLongestNameIsNotCut();
    void whatStandsForNoChoiceIsDrawn();

private:
    views::Theme m_theme{views::ThemeMode::Light};
};

void TestWideComboBox::theLongestNameIsNotCut()
{
    Box box;
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
    const QString name = QStringLiteral("Exception type and stack trace");
    box.addItems({name, QStringLiteral("Queue")});
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    box.resize(box.sizeHint());
    constexpr int keptFree = 4; // when it is drawn
    QCOMPARE(box.fontMetrics().elidedText(name, Qt::ElideRight, box.room() - keptFree), name);
}

void TestWideComboBox::whatStandsForNoChoiceIsDrawn()
{
    Box box;
    box.addItem(QStringLiteral("orders"));
    box.setCurrentIndex(-1);
    box.resize(200, 30);
    box.show();
    QVERIFY(QTest::qWaitForWindowExposed(&box));
    const QImage before = box.grab().toImage();
    box.setPlaceholderText(QStringLiteral("choose a queue"));
    QVERIFY(box.grab().toImage() != before);
}

REDRIVE_WIDGET_TEST(TestWideComboBox)
#include "tst_widecombobox.moc"
