#pragma once

#include "views/common/widgets/plaintext.h"

class QGridLayout;

namespace views {

// Short facts of a message in two columns: a muted name, and a value that can be selected with mouse and keyboard.
class FactsGrid final : public QWidget
{
    Q_OBJECT

public:
    explicit FactsGrid(QWidget *parent = nullptr);

    // Adds a row and returns its value label, which the grid owns. `mono`: in a fixed-width font.
    PlainLabel *add(const QString &name, bool mono = false);

private:
    QGridLayout *m_layout;
};

} // namespace views
