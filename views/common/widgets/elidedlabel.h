#pragma once

#include "views/common/widgets/plaintext.h"

namespace views {

// A label of one line that is truncated with an ellipsis; the tool tip then shows the whole text.
class ElidedLabel final : public PlainLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(const QString &text = {}, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
};

} // namespace views
