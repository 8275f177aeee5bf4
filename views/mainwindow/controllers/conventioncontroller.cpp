#include "views/mainwindow/controllers/conventioncontroller.h"

#include "backend/records/conventions/conventionfile.h"
#include "models/conventions/conventionstart.h"
#include "views/conventions/conventiondialog.h"
#include "views/conventions/conventionsdialog.h"

#include <algorithm>

namespace views {

ConventionController::ConventionController(MainWindow &window)
    : QObject(&window)
    , m_window(window)
{
    connect(window.action(ActionId::Conventions), &QAction::triggered, this, &ConventionController::openList);
    connect(&window.navigator(), &Navigator::conventionRequested, this,
            [this](const api::MessageDetail &message, const records::MessagePlace &place,
                   std::optional<models::PlaceUse> use) {
                begin({message, place, use});
            });
}

void ConventionController::openList()
{
    auto *dialog = new ConventionsDialog(console().session, console().theme, console().filter.zone(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void ConventionController::begin(const Wish &wish)
{
    const api::ConventionQuery question;
    console().session.ask(this, question, [this, wish](const core::Result<QList<api::ConventionView>> &known) {
        findApplied(wish, known.value_or(QList<api::ConventionView>()));
    });
}

// The convention with which the message was read is extended; else there is a new one.
void ConventionController::findApplied(const Wish &wish, const QList<api::ConventionView> &known)
{
    QStringList names;
    for (const api::ConventionView &view : known)
        names.append(view.name);
    const records::Convention fresh = models::conventionFor(wish.message.message, console().session, names);
    if (known.isEmpty())
        return open(wish, fresh, true);
    api::TryConvention question;
    question.file = records::toJson(fresh);
    question.messages = {wish.message.message.id};
    question.limit = 1;
    console().session.ask(
        this, question, [this, wish, known, fresh](const core::Result<QList<api::ConventionTrial>> &trials) {
            const QStringList applied =
                trials && !trials->isEmpty() ? trials->constFirst().before.conventions : QStringList();
            const auto found = std::find_if(known.crbegin(), known.crend(),
                                            [&applied](const auto &view) { return applied.contains(view.name); });
            const core::Result<records::Convention> stored = found == known.crend()
                                                                 ? core::Result<records::Convention>(fresh)
                                                                 : records::conventionFrom(found->file);
            open(wish, stored.value_or(fresh), found == known.crend() || !stored);
        });
}

void ConventionController::open(const Wish &wish, records::Convention convention, bool isNew)
{
    if (wish.use)
        models::say(convention, *wish.use, wish.place);
    auto *dialog = new ConventionDialog(console().session, console().theme, convention, isNew, wish.message, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
    dialog->choosePlace(wish.place);
}

} // namespace views

#include "moc_conventioncontroller.cpp"
