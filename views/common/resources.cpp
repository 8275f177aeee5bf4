#include "views/common/resources.h"

#include <QCoreApplication>
#include <QTranslator>

// The macro declares a function and must stand outside of every namespace.
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
