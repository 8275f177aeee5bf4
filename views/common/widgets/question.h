#pragma once

#include "views/common/widgets/dialogfoot.h"

#include <functional>

namespace views {

// A question before something is done: what, what follows from it, the button that does it and the one that leaves.
// All texts are plain text.
struct Question
{
    QString name; // object name of the dialog
    QString title; // of the window
    QString text;
    QString consequences;
    QString action; // of the button; empty: the dialog only says something and has a button to close it
    QString leave; // empty: Cancel, or Close where there is no action
    DialogFoot::Act act = DialogFoot::Act::CannotBeUndone;
};

// Shows the question over the window of `parent` and returns at once. `yes` runs if the person presses the button, and
// not if `parent` is gone by then. GUI thread.
void askQuestion(const Question &question, QWidget *parent, std::function<void()> yes = {});

} // namespace views
