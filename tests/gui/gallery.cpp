// Opens the window on the scene and saves what it looks like: `gallery --out folder [--page messages] [--theme dark]
// [--size 1280x720] [--trouble viewer] [--click policyEdit]`. Without --out it stays open, to be looked at.
#include "tests/support/fakeclient/consolescene.h"
#include "tests/support/fakeclient/policyscene.h"
#include "tests/support/planneddestination.h"
#include "views/common/theme/resources.h"
#include "views/mainwindow/mainwindow.h"

#include <QAction>
#include <QApplication>
#include <QCommandLineParser>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTimer>

namespace {

void makeTrouble(support::FakeClient &client, const QString &kind)
{
    api::ConnectionView &first = client.snapshot.connections.first();
    if (kind == QLatin1String("viewer")) {
        client.snapshot.engine = api::EngineState::Viewer;
        client.snapshot.engineText =
            QStringLiteral("Another Redrive (process 4711) holds the store and carries out your commands.");
    } else if (kind == QLatin1String("paused")) {
        client.snapshot.engine = api::EngineState::Paused;
        client.snapshot.engineText = QStringLiteral("Paused by maria at 02:58.");
    } else if (kind == QLatin1String("store")) {
        client.snapshot.engine = api::EngineState::StoreRefusesWrites;
        client.snapshot.engineText = QStringLiteral("The disk is full.");
    } else if (kind == QLatin1String("unreachable")) {
        first.health = api::Health::Unreachable;
        first.words = QStringLiteral("unreachable since 02:11, next try at 02:12:20 UTC: connection refused");
        first.breakerWords =
            QStringLiteral("After 9 calls without an answer, Redrive tries one call at a time, at least "
                           "once a minute; next try at 02:12:20 UTC. The first answer ends this.");
    } else if (kind == QLatin1String("login")) {
        first.health = api::Health::LoginNeeded;
        first.words = QStringLiteral("login needed: the broker refused the password");
    } else if (kind == QLatin1String("hostile")) {
        first.connection.name = support::hostileText();
        client.snapshot.queues.first().name = support::hostileText();
        for (qsizetype i = 0; i < 40; ++i) {
            client.store[i].failure.exceptionType = support::hostileText();
            client.store[i].queue = support::hostileText();
        }
    } else if (kind == QLatin1String("probing")) {
        support::startProbing(client);
    } else if (kind == QLatin1String("stopped")) {
        support::stopByRule(client);
    } else if (kind == QLatin1String("copied")) {
        support::stopAsCopy(client);
    } else if (kind == QLatin1String("empty")) {
        client.snapshot.policies.clear();
        client.snapshot.connections.clear();
        client.snapshot.queues.clear();
        client.snapshot.operations.clear();
        client.snapshot.batches.clear();
        client.store.clear();
    }
}

// A pipeline with trouble in every step; the report ids are as long as real ones.
void makePipeline(support::FakeClient &client)
{
    using namespace std::chrono_literals;
    using records::PipelineStep;
    const core::TimePoint now = support::sceneTime();
    records::Pipeline pipeline;
    pipeline.id = core::PipelineId{1};
    pipeline.name = QStringLiteral("reports");
    pipeline.url = QStringLiteral("postgresql://redrive@db.example/reports");
    client.pipelines = {pipeline};
    client.pipelineReading.asOf = now;
    const auto task = [now](PipelineStep step, int number) {
        const QString id = QStringLiteral("7d1f0c3e-5b7a-4a3e-9a55-%1").arg(number, 12, 10, QLatin1Char('0'));
        return records::PipelineTask{id,
                                     records::toString(step),
                                     now - std::chrono::minutes(17 + 7 * number),
                                     QStringLiteral("upload-covid-19"),
                                     QStringLiteral("hospital-%1.daily").arg(number % 4),
                                     10 + 13 * number,
                                     now - std::chrono::minutes(40 + 9 * number)};
    };
    for (const PipelineStep step : records::taskSteps) {
        records::StepTasks tasks;
        tasks.step = step;
        for (int number = 0; number < 3 + 4 * int(step); ++number)
            tasks.tasks.append(task(step, number));
        tasks.sql =
            QStringLiteral("select report_id, next_action, next_action_at, schema_name, receiver_name, item_count, "
                           "created_at from task where next_action = '%1' and created_at > now() - interval '4 "
                           "days' and next_action_at < now() - interval '15 minutes' order by next_action_at")
                .arg(records::toString(step));
        client.pipelineReading.overdue.append(tasks);
    }
    for (int number = 0; number < 4; ++number) {
        records::PipelineReceiver receiver;
        receiver.receiver = QStringLiteral("hospital-%1.daily").arg(number);
        receiver.cadence = number == 3 ? std::optional<core::Milliseconds>() : 24h;
        receiver.cadenceFrom = records::PipelineReceiver::CadenceFrom::File;
        receiver.waiting = 3 * number + 1;
        receiver.oldestTask = now - 30h * (number + 1);
        if (receiver.cadence)
            receiver.backstopAt = *receiver.oldestTask + 75h;
        receiver.ignoredPastBackstop = number == 2 ? 2 : 0;
        client.pipelineReading.receivers.append(receiver);
    }
    client.pipelineReading.sendRetries = {{task(PipelineStep::Send, 1), 2}};
    client.pipelineReading.sendActions = {{QStringLiteral("9"),
                                           QStringLiteral("send_error"),
                                           {},
                                           QStringLiteral("SFTP to hospital-2 refused the login 4 times"),
                                           now - 20min}};
    const auto queue = [&client](const char *name, qint64 depth) {
        api::QueueView view;
        view.connection = client.snapshot.connections.first().connection.id;
        view.name = QString::fromLatin1(name);
        view.depth = depth;
        view.asOf = support::sceneTime();
        client.snapshot.queues.append(view);
    };
    queue("process", 12);
    queue("process-poison", 3);
    queue("send", 0);
}

// What the engine would say about a retry of the two chosen groups.
void makePlan(support::FakeClient &client)
{
    using namespace std::chrono_literals;
    api::PlanPreview &plan = client.previewAnswer;
    plan.sentence = QStringLiteral("2 groups on shop-rabbit, unresolved");
    plan.connectionName = QStringLiteral("shop-rabbit");
    plan.environment = records::Environment::Production;
    plan.asOf = support::sceneTime();
    plan.leftOut[records::LeftOut::Arrived] = 1588;
    plan.leftOut[records::LeftOut::Looped] = 212;
    plan.firstFailed = support::sceneTime() - 63min;
    plan.lastFailed = support::sceneTime() - 1s;
    plan.handOver = records::HandOver::StagingQueue;
    plan.guarantee = QStringLiteral(
        "RabbitMQ with shovel: copies are staged first, then the broker itself moves them with publisher "
        "confirms. A crash of this program loses nothing and doubles nothing; a crash of the broker may "
        "double messages in flight.");
    plan.confirmCount = true;
    const QString failedQueue = QStringLiteral("NServiceBus.FailedQ");
    plan.destinations = {support::planned(QStringLiteral("orders"), 12903, true, 36, 4, failedQueue),
                         support::planned(QStringLiteral("shipping"), 3619, true, 0, 2, failedQueue),
                         support::planned(QStringLiteral("shipping-old"), 1, false, {}, {}, failedQueue)};
}

// What the engine would say about editing: one header of each care, a body of JSON, a set of which some do not fit.
void makeEdit(support::FakeClient &client)
{
    for (api::ConnectionView &view : client.snapshot.connections)
        view.connection.rights |= records::Right::Edit;
    using records::HeaderCare;
    api::EditSample &sample = client.sampleAnswer;
    const auto text = [](const QString &value) { return QCborValue(value); };
    sample.before.headers = {
        {QStringLiteral("NServiceBus.MessageId"), text(QStringLiteral("8f2c1c9e-0a4f-4a52-9d63-b1a7c2d4a07e"))},
        {QStringLiteral("NServiceBus.ReplyToAddress"), text(QStringLiteral("billing"))},
        {QStringLiteral("NServiceBus.EnclosedMessageTypes"), text(QStringLiteral("Shop.AuthorizePayment"))},
        {QStringLiteral("tenant"), text(QStringLiteral("south"))},
        {QStringLiteral("priority"), QCborValue(7)},
        {QStringLiteral("x-api-token"), text(QStringLiteral("3c9f"))},
        {QStringLiteral("name"), text(support::hostileText())}};
    sample.before.properties = {{QStringLiteral("content_type"), text(QStringLiteral("application/json"))}};
    sample.before.body = R"({"order":{"id":8841,"customer":{"id":17,"tier":"gold"}},"amount":120.50,"currency":"EUR"})";
    sample.after = sample.before;
    records::set(sample.after.headers, QStringLiteral("tenant"), text(QStringLiteral("north")));
    sample.after.body.replace("EUR", "DKK");
    sample.notes = {
        {QStringLiteral("NServiceBus.MessageId"), HeaderCare::Locked, QStringLiteral("it identifies the message")},
        {QStringLiteral("NServiceBus.ReplyToAddress"), HeaderCare::Sensitive,
         QStringLiteral("it controls where replies go")},
        {QStringLiteral("NServiceBus.EnclosedMessageTypes"), HeaderCare::Sensitive,
         QStringLiteral("it defines the message type")}};
    client.previewAnswer.leftOut[records::LeftOut::EditMisfit] = 2;
    client.previewAnswer.misfits = {{QStringLiteral("The edit does not fit this message: the body has no /currency."),
                                     2, client.store.constFirst().id}};
}

views::ActionId pageOf(const QString &name)
{
    if (name == QLatin1String("retries"))
        return views::ActionId::ShowRetries;
    if (name == QLatin1String("history"))
        return views::ActionId::ShowHistory;
    if (name == QLatin1String("policies"))
        return views::ActionId::ShowPolicies;
    if (name == QLatin1String("pipelines"))
        return views::ActionId::ShowPipelines;
    return name == QLatin1String("groups") ? views::ActionId::ShowGroups : views::ActionId::ShowMessages;
}

void save(views::MainWindow &window, const QString &file)
{
    QWidget *shown = QApplication::activeModalWidget();
    const bool saved = window.grab().save(file);
    if (shown != nullptr)
        shown->grab().save(file + QStringLiteral(".dialog.png"));
    QCoreApplication::exit(saved ? 0 : 1);
}

} // namespace

int main(int argc, char **argv)
{
    QApplication app(argc, argv);
    views::installPlurals(app);
    QCommandLineParser arguments;
    const QCommandLineOption out(QStringLiteral("out"), {}, QStringLiteral("file"));
    const QCommandLineOption page(QStringLiteral("page"), {}, QStringLiteral("name"));
    const QCommandLineOption theme(QStringLiteral("theme"), {}, QStringLiteral("name"), QStringLiteral("light"));
    const QCommandLineOption size(QStringLiteral("size"), {}, QStringLiteral("WxH"), QStringLiteral("1440x900"));
    const QCommandLineOption trouble(QStringLiteral("trouble"), {}, QStringLiteral("kind"));
    const QCommandLineOption trigger(QStringLiteral("trigger"), {}, QStringLiteral("action number"));
    const QCommandLineOption tab(QStringLiteral("tab"), {}, QStringLiteral("detail tab"));
    const QCommandLineOption click(QStringLiteral("click"), {}, QStringLiteral("name of a button"));
    arguments.addOptions({out, page, theme, size, trouble, trigger, tab, click});
    arguments.addHelpOption();
    arguments.process(app);

    QTemporaryDir profile;
    QSettings settings(profile.filePath(QStringLiteral("redrive.conf")), QSettings::IniFormat);
    support::FakeClient client;
    support::fillScene(client);
    makePlan(client);
    makeEdit(client);
    if (arguments.value(page).startsWith(QLatin1String("pipelines")))
        makePipeline(client);
    support::addPolicies(client);
    makeTrouble(client, arguments.value(trouble));
    models::ConsoleSession session(client);
    views::Preferences preferences(settings);
    views::Theme look(views::themeModeFrom(arguments.value(theme)));
    views::MainWindow window(session, preferences, look);
    const QStringList sides = arguments.value(size).split(QLatin1Char('x'));
    window.resize(sides.value(0).toInt(), sides.value(1).toInt());
    client.publish();
    window.show();

    const auto run = [&](const QString &number) {
        if (auto *action = window.findChild<QAction *>(QStringLiteral("action") + number))
            action->trigger();
    };
    using namespace std::chrono_literals;
    QTimer::singleShot(600ms, &window, [&] {
        if (auto *table = window.findChild<QTableView *>(QStringLiteral("groupsTable"));
            table != nullptr && table->model()->rowCount() > 1)
            table->selectionModel()->select(table->model()->index(1, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
        if (arguments.isSet(page))
            run(QString::number(int(pageOf(arguments.value(page)))));
        if (arguments.isSet(tab))
            window.findChild<QTabBar *>(QStringLiteral("detailTabs"))->setCurrentIndex(arguments.value(tab).toInt());
        if (arguments.isSet(trigger))
            run(arguments.value(trigger));
        if (auto *button = window.findChild<QPushButton *>(arguments.value(click)))
            button->click();
        if (arguments.isSet(out)) // counted from here, so that what was just opened is laid out on a slow machine, too
            QTimer::singleShot(1900ms, &window, [&] { save(window, arguments.value(out)); });
    });
    return QApplication::exec();
}
