#pragma once

#include "models/conventions/conventiontrials.h"

#include <QWidget>

#include <array>

class QLabel;
class QPushButton;

namespace views {

class DifferenceView;
class Theme;

// What a convention does to one real message: how it is read before and after, and what is sent then. GUI thread.
class TrialView final : public QWidget
{
    Q_OBJECT

public:
    TrialView(const Theme &theme, models::ConventionTrials &trials, QWidget *parent = nullptr);

private:
    enum Line { Cause, Group, ReturnsTo, Sends, lineCount };
    QWidget *makeHead();
    QWidget *makeFacts();
    void setLine(Line line, const QString &before, const QString &after);
    void update();
    void clear(const QString &words);

    models::ConventionTrials &m_trials;
    QLabel *m_words;
    QPushButton *m_previous;
    QPushButton *m_next;
    QWidget *m_facts = nullptr;
    std::array<QLabel *, lineCount> m_before{};
    std::array<QLabel *, lineCount> m_after{};
    DifferenceView *m_difference;
};

} // namespace views
