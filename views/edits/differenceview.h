#pragma once

#include "models/edits/differencemodel.h"

#include <QTableView>

namespace views {

class Theme;

// What an edit changes in one message: lines as they were and as they will be.
class DifferenceView final : public QTableView
{
    Q_OBJECT

public:
    explicit DifferenceView(const Theme &theme, QWidget *parent = nullptr);

    // Secrets are shown only of headers whose name is among these.
    void present(const records::Difference &difference, const QSet<QString> &revealed = {});
    void clear();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void fitColumns();

    models::DifferenceModel m_model;
};

} // namespace views
