#pragma once

#include "models/retries/batchboard.h"

#include <QFrame>

class QLabel;
class QProgressBar;

namespace views {

// One batch on the stage board. show() may be called again: the card changes in place.
class StageCard final : public QFrame
{
    Q_OBJECT

public:
    explicit StageCard(QWidget *parent = nullptr);
    void show(const models::BatchCard &card, records::BatchStage stage);

private:
    QLabel *m_title;
    QProgressBar *m_bar;
    QLabel *m_line;
    QLabel *m_staging;
};

} // namespace views
