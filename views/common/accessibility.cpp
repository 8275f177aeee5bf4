#include "views/common/accessibility.h"

#include "views/common/widgets/plaintext.h"

#include <QAbstractItemView>
#include <QAccessibleWidget>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QToolButton>

namespace views {

namespace {

constexpr auto describedByTip = "describedByTip";

// On Unix Qt uses the current entry as the name, whatever the accessible name is.
class NamedComboBox final : public QAccessibleWidget
{
public:
    explicit NamedComboBox(QComboBox *box)
        : QAccessibleWidget(box, QAccessible::ComboBox)
    {
    }

    [[nodiscard]] int childCount() const override { return box()->isEditable() ? 2 : 1; }
    [[nodiscard]] QAccessibleInterface *child(int index) const override
    {
        if (index == 0)
            return QAccessible::queryAccessibleInterface(box()->view());
        return index == 1 && box()->isEditable() ? QAccessible::queryAccessibleInterface(box()->lineEdit()) : nullptr;
    }
    [[nodiscard]] int indexOfChild(const QAccessibleInterface *one) const override
    {
        if (one->object() == box()->view())
            return 0;
        return box()->isEditable() && one->object() == box()->lineEdit() ? 1 : -1;
    }
    [[nodiscard]] QString text(QAccessible::Text what) const override
    {
        return what == QAccessible::Value ? box()->currentText() : QAccessibleWidget::text(what);
    }
    [[nodiscard]] QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = box()->view()->isVisible();
        state.editable = box()->isEditable();
        return state;
    }
    [[nodiscard]] QStringList actionNames() const override { return {showMenuAction(), pressAction()}; }
    void doAction(const QString &) override
    {
        if (box()->view()->isVisible())
            box()->hidePopup();
        else
            box()->showPopup();
    }
    [[nodiscard]] QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    [[nodiscard]] QComboBox *box() const { return static_cast<QComboBox *>(widget()); }
};

QAccessibleInterface *comboBoxes(const QString &className, QObject *object)
{
    auto *box = className == QLatin1String("QComboBox") ? qobject_cast<QComboBox *>(object) : nullptr;
    return box == nullptr ? nullptr : new NamedComboBox(box);
}

// Qt uses the raw tool tip as the description of a widget that has none.
void describe(QWidget *widget)
{
    const QString tip = widget->toolTip();
    const QString words = wordsOfToolTip(tip);
    const bool isHtml = words != tip;
    if (isHtml || widget->property(describedByTip).toBool())
        widget->setAccessibleDescription(isHtml ? words : QString());
    widget->setProperty(describedByTip, isHtml);
}

} // namespace

Accessibility::Accessibility(QObject *parent)
    : QObject(parent)
{
    QAccessible::installFactory(comboBoxes);
    qApp->installEventFilter(this);
}

bool Accessibility::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ToolTipChange) {
        if (auto *widget = qobject_cast<QWidget *>(watched))
            describe(widget);
    } else if (event->type() == QEvent::Polish) {
        auto *button = qobject_cast<QToolButton *>(watched);
        const bool isInField = button != nullptr && qobject_cast<QLineEdit *>(button->parentWidget()) != nullptr;
        if (isInField && button->accessibleName().isEmpty() && button->text().isEmpty())
            button->setAccessibleName(tr("Clear"));
    }
    return QObject::eventFilter(watched, event);
}

} // namespace views

#include "moc_accessibility.cpp"
