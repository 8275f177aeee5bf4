#include "views/common/theme/resources.h"

#include <QCoreApplication>
#include <QTranslator>

// The macro declares a function and must be used outside of all namespaces.
static void registerResources()
{
    Q_INIT_RESOURCE(redrive);
    Q_INIT_RESOURCE(plurals);
}

namespace views {

void initResources()
{
    registerResources();
}

void installPlurals(QCoreApplication &application)
{
    initResources();
    auto *forms = new QTranslator(&application);
    if (forms->load(QStringLiteral(":/i18n/redrive_en.qm")))
        QCoreApplication::installTranslator(forms);
}

} // namespace views
