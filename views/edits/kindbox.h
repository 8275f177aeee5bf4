#pragma once

#include <QComboBox>

namespace views {

// Chooses of what kind the value of a header is. A table opens one for a cell that holds a kind.
class KindBox final : public QComboBox
{
    Q_OBJECT
    Q_PROPERTY(int kind READ kind WRITE setKind NOTIFY kindChanged USER true)

public:
    explicit KindBox(QWidget *parent);

    [[nodiscard]] int kind() const { return currentData().toInt(); } // EditedHeaders::ValueKind
    void setKind(int kind) { setCurrentIndex(findData(kind)); }

Q_SIGNALS:
    void kindChanged();
};

} // namespace views
