#include "views/groups/groupmarks.h"

#include "backend/api/groupcause.h"
#include "models/common/visibletext.h"
#include "views/common/text.h"
#include "views/common/widgets/dialogfoot.h"
#include "views/common/widgets/dialogframe.h"
#include "views/common/widgets/plaintext.h"

#include <QDateTimeEdit>
#include <QDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace views {

namespace {

constexpr int muteWidth = 380;
constexpr int noteWidth = 460;
constexpr int noteHeight = 300;
constexpr int morning = 8; // o'clock

core::TimePoint timePointOf(const QDateTime &at)
{
    return core::fromMs(at.toMSecsSinceEpoch());
}

QVBoxLayout *columnOf(QWidget *body)
{
    body->setObjectName(QStringLiteral("dialogBody"));
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(16, 14, 16, 14);
    layout->setSpacing(12);
    return layout;
}

PlainLabel *mutedLabel(const QString &text, QWidget *parent)
{
    auto *label = new PlainLabel(text, parent);
    label->setWordWrap(true);
    label->setProperty("tone", QStringLiteral("muted"));
    return label;
}

QList<core::GroupId> idsOf(const QList<api::GroupRow> &groups)
{
    QList<core::GroupId> ids;
    for (const api::GroupRow &row : groups)
        ids.append(row.id);
    return ids;
}

void askForDate(models::ConsoleSession &session, const QList<core::GroupId> &groups, QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("muteDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Text::tr("Mute until"));
    auto *body = new QWidget(dialog);
    QVBoxLayout *layout = columnOf(body);
    const QDateTime now = QDateTime::currentDateTime();
    auto *when = new QDateTimeEdit(QDateTime(now.date().addDays(7), QTime(morning, 0)), body);
    when->setObjectName(QStringLiteral("muteUntil"));
    when->setAccessibleName(Text::tr("End of the mute, in local time"));
    when->setCalendarPopup(true);
    when->setDisplayFormat(QStringLiteral("yyyy-MM-dd HH:mm"));
    when->setMinimumDateTime(now.addSecs(60));
    when->setMaximumDateTime(now.addYears(1));
    layout->addWidget(when);
    layout->addWidget(
        mutedLabel(Text::tr("Local time of this machine. The mute ends earlier if the group grows tenfold."), body));
    auto *foot = new DialogFoot(dialog);
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("muteCancel"), Text::tr("Cancel"));
    const QPushButton *mute =
        foot->addPrimary(QStringLiteral("muteSet"), Text::tr("Mute"), DialogFoot::Act::CanBeUndone);
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    QObject::connect(mute, &QPushButton::clicked, dialog, &QDialog::accept);
    frameDialog(*dialog, {nullptr, body, foot});
    fitDialog(*dialog, muteWidth);
    QObject::connect(dialog, &QDialog::accepted, &session,
                     [&session, groups, when] { session.muteGroups(groups, timePointOf(when->dateTime())); });
    dialog->open();
}

} // namespace

void askForNote(const Console &console, const api::GroupRow &group, QWidget *parent)
{
    models::ConsoleSession &session = console.session;
    auto *dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("noteDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(Text::tr("Note on a failure group"));
    auto *body = new QWidget(dialog);
    QVBoxLayout *layout = columnOf(body);
    const QString shown = group.marks.note ? group.marks.note->text : QString();
    auto *text = new QPlainTextEdit(body);
    text->setObjectName(QStringLiteral("noteText"));
    text->setAccessibleName(Text::tr("Note"));
    text->setTabChangesFocus(true);
    text->setPlainText(shown);
    auto *room = mutedLabel({}, body);
    auto *foot = new DialogFoot(dialog);
    QPushButton *remove = foot->addPlain(QStringLiteral("noteRemove"), Text::tr("Remove note"));
    foot->addStretch();
    const QPushButton *cancel = foot->addLeave(QStringLiteral("noteCancel"), Text::tr("Cancel"));
    QPushButton *save =
        foot->addPrimary(QStringLiteral("noteSave"), Text::tr("Save note"), DialogFoot::Act::CanBeUndone);
    remove->setVisible(!shown.isEmpty());
    const auto check = [text, room, save] {
        const qsizetype left = records::GroupNote::longest - text->toPlainText().trimmed().size();
        save->setEnabled(left >= 0 && !text->toPlainText().trimmed().isEmpty());
        room->setText(left < 0 ? Text::tr("Characters over the limit: %1").arg(-left)
                               : Text::tr("Characters left: %1").arg(left));
    };
    QObject::connect(text, &QPlainTextEdit::textChanged, dialog, check);
    check();
    layout->addWidget(mutedLabel(models::visibleLine(api::causeOf(group)), body));
    layout->addWidget(text, 1);
    layout->addWidget(room);
    layout->addWidget(
        mutedLabel(Text::tr("The note stays with the group through retries and archiving, and is there again when the "
                            "group comes back. Everyone who uses this store can read it."),
                   body));
    frameDialog(*dialog, {nullptr, body, foot});
    const core::GroupId id = group.id;
    QObject::connect(cancel, &QPushButton::clicked, dialog, &QDialog::reject);
    QObject::connect(save, &QPushButton::clicked, &session, [&session, dialog, text, id, shown] {
        session.setGroupNote(id, text->toPlainText(), shown);
        dialog->accept();
    });
    QObject::connect(remove, &QPushButton::clicked, &session, [&session, dialog, id, shown] {
        session.setGroupNote(id, {}, shown);
        dialog->accept();
    });
    fitDialog(*dialog, noteWidth, noteHeight);
    text->setFocus();
    dialog->open();
}

void addMuteEntries(QMenu *menu, const Console &console, const QList<api::GroupRow> &groups, QWidget *parent)
{
    models::ConsoleSession &session = console.session;
    const QList<core::GroupId> ids = idsOf(groups);
    const auto add = [&](const QString &name, const QString &text, const auto &until) {
        QAction *entry = menu->addAction(text);
        entry->setObjectName(name);
        QObject::connect(entry, &QAction::triggered, &session,
                         [&session, ids, until] { session.muteGroups(ids, until()); });
    };
    const auto after = [](int hours) {
        return [hours] { return std::optional(timePointOf(QDateTime::currentDateTime().addSecs(3600LL * hours))); };
    };
    add(QStringLiteral("muteHour"), Text::tr("For 1 hour"), after(1));
    add(QStringLiteral("muteShift"), Text::tr("For 8 hours"), after(8));
    add(QStringLiteral("muteMorning"), Text::tr("Until tomorrow, 08:00"),
        [] { return std::optional(timePointOf(QDateTime(QDate::currentDate().addDays(1), QTime(morning, 0)))); });
    QAction *date = menu->addAction(Text::tr("Until a date…"));
    date->setObjectName(QStringLiteral("muteDate"));
    QObject::connect(date, &QAction::triggered, &session,
                     [&session, ids, parent] { askForDate(session, ids, parent); });
    const bool any = std::any_of(groups.cbegin(), groups.cend(),
                                 [](const api::GroupRow &row) { return row.marks.mute.has_value(); });
    if (!any)
        return;
    menu->addSeparator();
    add(QStringLiteral("unmute"), Text::tr("Unmute"), [] { return std::optional<core::TimePoint>(); });
}

} // namespace views
