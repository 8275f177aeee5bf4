#pragma once

#include "models/edits/differencemodel.h"

#include <QTableView>

namespace views {

class Theme;

// Shows what an edit changes in one message: the removed, added and unchanged lines.
class DifferenceView final : public QTableView
{
    Q_OBJECT

public:
    explicit DifferenceView(const Theme &theme, QWidget *parent = nullptr);

    // `revealed`: names of the headers whose secret values are shown; all others stay masked.
    // `added`: lines about the headers that Redrive adds to what is sent.
    void present(const records::Difference &difference, const QSet<QString> &revealed = {},
                 const QStringList &added = {});
    void clear();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();

    models::DifferenceModel m_model;
};

} // namespace views
