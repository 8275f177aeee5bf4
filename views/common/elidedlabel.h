#pragma once

#include "views/common/plaintext.h"

namespace views {

// One line that ends in an ellipsis where there is no room for all of it; the tool tip then has the whole.
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
