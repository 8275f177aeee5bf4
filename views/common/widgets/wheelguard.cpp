#include "views/common/widgets/wheelguard.h"

#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>

namespace views {

namespace {

class WheelGuard final : public QObject
{
public:
    using QObject::QObject;

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        const auto *field = qobject_cast<QWidget *>(watched);
        if (event->type() != QEvent::Wheel || field == nullptr || field->hasFocus())
            return QObject::eventFilter(watched, event);
        event->ignore(); // so that the form gets it
        return true;
    }
};

void guard(QWidget *field)
{
    field->setFocusPolicy(Qt::StrongFocus);
    field->installEventFilter(new WheelGuard(field));
}

} // namespace

void guardFromWheel(QWidget *whole)
{
    for (QComboBox *box : whole->findChildren<QComboBox *>())
        guard(box);
    for (QAbstractSpinBox *number : whole->findChildren<QAbstractSpinBox *>())
        guard(number);
}

} // namespace views
