#include "views/mainwindow/statusline.h"

#include "models/common/text.h"
#include "models/common/visibletext.h"
#include "views/common/theme/styleproperty.h"
#include "views/common/widgets/badge.h"

#include <QFileInfo>
#include <QResizeEvent>

namespace views {

namespace {

constexpr int wholeFrom = 1200; // a narrower window hides the least important parts
constexpr int storeFrom = 900; // narrower windows show neither the store nor the rights
constexpr int sessionShown = 4; // enough to tell two sessions apart; the tool tip shows the whole id

// Of a path its file; of the URL of a shared store its server and database.
QString storeName(const QString &place)
{
    const qsizetype scheme = place.indexOf(QLatin1String("://"));
    if (scheme < 0)
        return QFileInfo(place).fileName();
    const QString name = place.section(QLatin1String("://"), 1).section(u'?', 0, 0).section(u'@', -1);
    return name.startsWith(u'/') ? name.mid(1) : name; // over a socket
}

void setTone(QLabel *label, models::Tone tone)
{
    const char *word = tone == models::Tone::Ok       ? "ok"
                       : tone == models::Tone::Warn   ? "warn"
                       : tone == models::Tone::Bad    ? "bad"
                       : tone == models::Tone::Accent ? "accent"
                                                      : "";
    setStyleProperty(label, "tone", QString::fromLatin1(word));
}

// The connection whose rights are shown: the one of the current place, else the one with the strictest environment.
const api::ConnectionView *connectionInForce(const Console &console)
{
    if (const api::ConnectionView *chosen = console.session.connection(console.filter.connection()))
        return chosen;
    const api::ConnectionView *most = nullptr;
    for (const api::ConnectionView &view : console.session.snapshot().connections) {
        if (most == nullptr || view.connection.environment > most->connection.environment)
            most = &view;
    }
    return most;
}

} // namespace

StatusLine::StatusLine(const Console &console, QWidget *parent)
    : QStatusBar(parent)
    , m_console(console)
    , m_dot(addPart(QStringLiteral("engineDot"), {}))
    , m_engine(addPart(QStringLiteral("engineState"), tr("Engine")))
    , m_connections(addPart(QStringLiteral("connectionCount"), tr("Connections")))
    , m_badge(new Badge)
    , m_rights(nullptr)
    , m_doubt(nullptr)
    , m_store(nullptr)
    , m_refreshed(new PlainLabel)
{
    constexpr int height = 24;
    setObjectName(QStringLiteral("statusLine"));
    setSizeGripEnabled(false);
    setFixedHeight(height);
    m_dot->setText(QStringLiteral("●"));
    addWidget(m_badge);
    m_rights = addPart(QStringLiteral("rights"), tr("Current connection and its rights"));
    m_doubt = addPart(QStringLiteral("inDoubt"), tr("In doubt"));
    m_store = addPart(QStringLiteral("store"), tr("Store"));
    m_refreshed->setObjectName(QStringLiteral("refreshed"));
    addPermanentWidget(m_refreshed);
    connect(&console.session, &models::ConsoleSession::snapshotTaken, this, &StatusLine::update);
    connect(&console.filter, &models::ConsoleFilter::zoneChanged, this, &StatusLine::update);
    connect(&console.filter, &models::ConsoleFilter::placeChanged, this, &StatusLine::updateConnection);
    connect(this, &QStatusBar::messageChanged, this, &StatusLine::update);
    update();
}

PlainLabel *StatusLine::addPart(const QString &objectName, const QString &name)
{
    auto *label = new PlainLabel;
    label->setObjectName(objectName);
    label->setAccessibleName(name);
    constexpr int gap = 9;
    label->setContentsMargins(objectName == QLatin1String("engineDot") ? gap : 0, 0, gap, 0);
    if (objectName == QLatin1String("engineDot"))
        label->setContentsMargins(gap, 0, 0, 0);
    addWidget(label);
    return label;
}

void StatusLine::resizeEvent(QResizeEvent *event)
{
    QStatusBar::resizeEvent(event);
    update();
}

void StatusLine::update()
{
    const api::Snapshot &now = m_console.session.snapshot();
    QString engine = models::textOf(now.engine);
    if (!now.session.isEmpty() && width() >= wholeFrom)
        engine += tr(" · session %1").arg(models::visibleLine(now.session.left(sessionShown)));
    m_engine->setText(engine);
    QStringList tip{models::visibleLine(now.engineText), models::visibleLine(now.session)};
    tip.removeAll(QString());
    m_engine->setToolTip(plainToolTip(tip.join(QLatin1Char('\n'))));
    setTone(m_dot, models::toneOf(now.engine));
    const int connections = int(now.connections.size());
    m_connections->setText(tr("%1 connections", nullptr, connections).arg(models::formatNumber(connections)));
    setShown(m_connections, width() >= wholeFrom);
    m_doubt->setText(tr("In doubt %1").arg(models::formatNumber(now.inDoubtTotal)));
    m_doubt->setToolTip(
        now.inDoubtTotal == 0
            ? QString()
            : tr("Sent without an answer: these messages may or may not have arrived. Settle them on the Retries "
                 "page."));
    setTone(m_doubt, now.inDoubtTotal > 0 ? models::Tone::Warn : models::Tone::Normal);
    const QString store = models::visibleLine(storeName(now.storePath), 32);
    m_store->setText(tr("Store: %1 · %2 unresolved").arg(store, models::formatNumber(now.unresolvedTotal)));
    m_store->setToolTip(plainToolTip(models::visibleLine(now.storePath)));
    setShown(m_store, width() >= storeFrom);
    const QString clock = models::formatClock(now.at, m_console.filter.zone());
    m_refreshed->setText(!m_console.session.hasSnapshot() ? QString()
                         : width() < wholeFrom            ? clock
                                                          : tr("Refreshed %1").arg(clock));
    updateConnection();
}

// A temporary message takes the whole line: Qt hides the parts and shows them again afterwards.
void StatusLine::setShown(QWidget *part, bool shown)
{
    if (currentMessage().isEmpty())
        part->setVisible(shown);
}

void StatusLine::updateConnection()
{
    const api::ConnectionView *view = connectionInForce(m_console);
    setShown(m_badge, view != nullptr);
    setShown(m_rights, view != nullptr && width() >= storeFrom);
    if (view == nullptr)
        return;
    if (m_badge->text() != models::textOf(view->connection.environment))
        m_badge->show(view->connection.environment);
    m_rights->setText(
        tr("%1 · %2").arg(models::visibleLine(view->connection.name, 24), models::textOf(view->connection.rights)));
    m_rights->setToolTip(
        tr("Rights only guard against mistakes. The real limit is what the broker allows this login to do."));
}

} // namespace views

#include "moc_statusline.cpp"
