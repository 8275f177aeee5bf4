#pragma once

#include <QtGlobal>

#include <functional>
#include <memory>
#include <optional>

namespace core {

// A piece of work that may take long: how far it is, and whether whoever asked for it wants it to end. It is carried
// out in slices; whoever does so counts here, and looks between two slices. Engine thread.
struct LongWork
{
    qint64 done = 0; // messages
    std::optional<qint64> of; // nothing: nobody knows how many there are
    bool isAbout = false; // `of` is what was counted last, and it changes
    bool isCancelled = false;
    std::function<void()> onCancel{}; // called once, for work that nobody looks at between slices; null: nothing to do
};

using LongWorkPtr = std::shared_ptr<LongWork>; // null: nobody asks, and nobody cancels

} // namespace core
