#include "backend/engine/dispatch/commandtable.h"

#include "backend/engine/text.h"

namespace engine {

const CommandTable &CommandTable::all()
{
    static const CommandTable table = [] {
        CommandTable filled;
        ConnectionService::addHandlers(filled);
        ConventionService::addHandlers(filled);
        GroupService::addHandlers(filled);
        Housekeeper::addHandlers(filled);
        MessageService::addHandlers(filled);
        MoveService::addHandlers(filled);
        PauseAllService::addHandlers(filled);
        PolicyService::addHandlers(filled);
        PipelineService::addHandlers(filled);
        RedirectService::addHandlers(filled);
        RehearsalService::addHandlers(filled);
        RetryService::addHandlers(filled);
        TransferService::addHandlers(filled);
        return filled;
    }();
    return table;
}

const CommandTable::Entry *CommandTable::find(std::string_view name) const
{
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

std::vector<std::string_view> CommandTable::names() const
{
    std::vector<std::string_view> names;
    for (const auto &[name, entry] : m_entries)
        names.push_back(name);
    return names;
}

QString CommandTable::misread(std::string_view name, const QString &field)
{
    const QString request = QString::fromLatin1(name.data(), qsizetype(name.size()));
    return field.isEmpty()
               ? Text::tr("The request %1 is malformed. Nothing was done.").arg(request)
               : Text::tr("The field %2 of the request %1 is malformed. Nothing was done.").arg(request, field);
}

} // namespace engine
