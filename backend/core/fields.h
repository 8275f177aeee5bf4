// Lists the fields of a plain struct once. What crosses the control socket is derived from the list (cborcodec.h), in
// both directions and under the names that the fields have in the code.
//
//     struct Destination
//     {
//         QString queue;
//         Certainty certainty = Certainty::Unknown;
//         REDRIVE_FIELDS(queue, certainty)
//     };
//
// A field that is not listed does not cross. Every enum in a list says which of its values is the last:
//
//     constexpr Certainty lastOf(Certainty) { return Certainty::Guessed; }
//
// next to the enum, or as a friend function inside the struct that contains it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

// The struct stays an aggregate.
#define REDRIVE_FIELDS(...)                                                                                            \
    static constexpr std::string_view fieldNames = #__VA_ARGS__;                                                       \
    [[nodiscard]] auto fields()                                                                                        \
    {                                                                                                                  \
        return std::tie(__VA_ARGS__);                                                                                  \
    }                                                                                                                  \
    [[nodiscard]] auto fields() const                                                                                  \
    {                                                                                                                  \
        return std::tie(__VA_ARGS__);                                                                                  \
    }

namespace core {

template<typename T>
concept HasFields = requires(const T &value)
{
    T::fieldNames;
    value.fields();
};

template<HasFields T>
inline constexpr size_t fieldCount = std::tuple_size_v<decltype(std::declval<const T &>().fields())>;

// The names of the fields, in the order of the list. The preprocessor has made every separator one comma and one blank.
template<HasFields T>
[[nodiscard]] constexpr auto splitNames()
{
    std::array<std::string_view, fieldCount<T>> names;
    std::string_view rest = T::fieldNames;
    for (std::string_view &name : names) {
        const size_t end = rest.find(',');
        name = rest.substr(0, end);
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return names;
}

template<HasFields T>
inline constexpr auto namesOf = splitNames<T>();

} // namespace core
