#pragma once

#include "models/common/actionscope.h"

#include <QObject>

namespace models {

// The selection of the window. The visible page sets it; buttons and menus read it. GUI thread.
class SharedSelection final : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] const ActionScope &scope() const { return m_scope; }
    void set(const ActionScope &scope)
    {
        if (m_scope == scope)
            return;
        m_scope = scope;
        Q_EMIT changed();
    }

Q_SIGNALS:
    void changed();

private:
    ActionScope m_scope;
};

} // namespace models
