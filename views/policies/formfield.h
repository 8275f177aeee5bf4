#pragma once

#include "views/common/widgets/plaintext.h"

#include <QWidget>

namespace views {

// A field of a form with what is wrong with it below. GUI thread.
class FormField final : public QWidget
{
    Q_OBJECT

public:
    // `path`: the place in the file of a policy, as errors name it: "schedule.first". `parts`: the inputs, side by side;
    // the first one takes the keyboard focus.
    FormField(const QString &path, const QList<QWidget *> &parts, QWidget *parent = nullptr);

    // True when an error with this path is about this field.
    [[nodiscard]] bool isAt(const QString &path) const;
    void setWrong(const QString &sentence); // empty: nothing is wrong
    [[nodiscard]] QString wrong() const;

private:
    QString m_path;
    QList<QWidget *> m_parts;
    PlainLabel *m_sentence;
};

} // namespace views
