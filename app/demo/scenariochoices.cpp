#include "app/demo/scenariochoices.h"

#include "app/text.h"

namespace app {

QList<views::ScenarioChoice> scenarioChoices()
{
    return {
        {{},
         Text::tr("Demo &shop"),
         Text::tr("Demo shop: select one or more causes, then choose Retry selected and watch the batches below.")},
        {QStringLiteral("orders"), Text::tr("&Orders: a database is down"),
         Text::tr("Orders: the database is down from second 30 to 120. The page Policies shows what is retried "
                  "by itself.")},
        {QStringLiteral("telemetry"), Text::tr("&Telemetry: locks and dead letters"),
         Text::tr(
             "Telemetry: readings expire, fail too often, or lose their lock because a consumer takes more than it "
             "can process.")},
        {QStringLiteral("reports"), Text::tr("&Reports: a pipeline with task tables"),
         Text::tr(
             "Reports: a message that fails four times in Process appears in process_poison. The page Pipelines shows "
             "the tasks that are stuck.")},
        {QStringLiteral("documents"), Text::tr("&Documents: dispatch now or later"),
         Text::tr("Documents: what cannot be dispatched at once is set aside and dispatched later. What keeps failing "
                  "appears here.")}};
}

QString hintOf(const QString &scenario)
{
    for (const views::ScenarioChoice &choice : scenarioChoices()) {
        if (choice.name == scenario)
            return choice.explanation;
    }
    return Text::tr("Scenario of %1").arg(scenario);
}

} // namespace app
