// The batches of one retry operation as cards in four columns, one for each stage, with its pace and the buttons to
// pause and cancel it. GUI thread.
#pragma once

#include "models/session/consolesession.h"

#include <QHash>
#include <QWidget>

#include <array>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace models {
struct BoardColumn;
}

namespace views {

class StageCard;

class StageBoard final : public QWidget
{
    Q_OBJECT

public:
    explicit StageBoard(models::ConsoleSession &session, QWidget *parent = nullptr);

    [[nodiscard]] QSize minimumSizeHint() const override;
    // Shows this operation; an invalid id: always the newest running one, else the newest, else the one that was shown at its end. The
    // choice ends when the operation has ended and somebody starts another retry after the choice was made.
    void follow(core::OperationId operation);
    [[nodiscard]] core::OperationId shown() const { return m_shown; }

Q_SIGNALS:
    void shownChanged(core::OperationId operation);
    void doubtsWanted(core::OperationId operation); // settle its messages in doubt

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Column
    {
        QLabel *count = nullptr;
        QScrollArea *area = nullptr;
        QVBoxLayout *cards = nullptr;
        QLabel *more = nullptr;
        QHash<core::BatchId, StageCard *> byBatch;
    };

    QWidget *makeHeader();
    QWidget *makeColumn(int stage);
    [[nodiscard]] static QString stageName(records::BatchStage stage);
    void refresh();
    [[nodiscard]] bool choiceHolds() const;
    [[nodiscard]] QString pauseTip(const api::OperationView &view) const;
    void showWhatFits();
    void refreshHeader(const api::OperationView *view);
    void refreshWhy(const api::OperationView *view);
    void refreshColumn(Column &column, const models::BoardColumn &shown);
    void refreshRest(const api::OperationView *view);
    void pauseOrResume();
    void cancel();

    models::ConsoleSession &m_session;
    core::OperationId m_chosen;
    core::OperationId m_newestWhenChosen;
    core::OperationId m_shown;
    bool m_isEmpty = true; // there is no retry to show
    bool m_showsAnEnd = false; // m_shown has ended
    QWidget *m_header = nullptr;
    QLabel *m_title = nullptr;
    QLabel *m_pace = nullptr;
    QPushButton *m_doubt = nullptr; // visible only while messages are in doubt
    QPushButton *m_pause = nullptr;
    QPushButton *m_cancel = nullptr;
    QLabel *m_empty = nullptr;
    QLabel *m_why = nullptr; // why nothing moves
    std::array<Column, 4> m_columns;
};

} // namespace views
