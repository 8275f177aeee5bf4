#pragma once

#include "views/common/widgets/plaintext.h"

class QGridLayout;

namespace views {

// A value that can be selected with mouse and keyboard. A word that is wider than the label is truncated in the middle,
// because the two ends of a name or an ID tell it apart; the tool tip then shows the whole text. GUI thread.
class FactLabel final : public PlainLabel
{
    Q_OBJECT

public:
    FactLabel();

    void setFact(const QString &text);
    [[nodiscard]] const QString &fact() const { return m_fact; }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void fit();

    QString m_fact;
};

// Short facts of a message in two columns: a muted name and a value.
class FactsGrid final : public QWidget
{
    Q_OBJECT

public:
    explicit FactsGrid(QWidget *parent = nullptr);

    // Adds a row and returns its value label, which the grid owns. `mono`: in a fixed-width font.
    FactLabel *add(const QString &name, bool mono = false);

private:
    QGridLayout *m_layout;
};

} // namespace views
