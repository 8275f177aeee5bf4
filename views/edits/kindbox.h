#pragma once

#include <QComboBox>

namespace views {

// Chooses the type of a header's value. The headers table opens one to edit a cell of its type column.
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
