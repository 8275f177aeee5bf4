# One INTERFACE target carries the language level, the warnings and Qt's strictness for every target of ours.
add_library(redrive_options INTERFACE)
target_compile_features(redrive_options INTERFACE cxx_std_20)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_AUTOMOC ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

target_include_directories(redrive_options INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(redrive_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor)
if(REDRIVE_WERROR)
    target_compile_options(redrive_options INTERFACE -Werror)
endif()
target_compile_definitions(redrive_options INTERFACE
    REDRIVE_VERSION="${PROJECT_VERSION}"
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_FOREACH QT_NO_KEYWORDS
    QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_STRICT_ITERATORS QT_DISABLE_DEPRECATED_BEFORE=0x060400)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 15)
    # It knows the coroutines of C++20, but does not say so in the macro that libstdc++ asks for.
    target_compile_definitions(redrive_options INTERFACE __cpp_impl_coroutine=201902L)
endif()
if(REDRIVE_FUZZ)
    # Every line of ours counts as found or not; what UBSan reports ends the program, so that the input is kept.
    target_compile_options(redrive_options INTERFACE -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
endif()
if(REDRIVE_SANITIZE)
    target_compile_options(redrive_options INTERFACE -fsanitize=${REDRIVE_SANITIZE} -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 with sanitizers sees uninitialised strings in every co_return of a Result; without them it does not.
        target_compile_options(redrive_options INTERFACE -Wno-maybe-uninitialized)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        # Of what this check puts before a function clang 14 can make no object file where a coroutine is split.
        target_compile_options(redrive_options INTERFACE -fno-sanitize=function)
    endif()
    target_link_options(redrive_options INTERFACE -fsanitize=${REDRIVE_SANITIZE})
    if(REDRIVE_SANITIZE_WITHOUT)
        target_compile_options(redrive_options INTERFACE -fno-sanitize=${REDRIVE_SANITIZE_WITHOUT})
    endif()
endif()

find_program(REDRIVE_CCACHE ccache)
if(REDRIVE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${REDRIVE_CCACHE})
endif()
find_program(REDRIVE_LLD ld.lld)
if(REDRIVE_LLD)
    target_link_options(redrive_options INTERFACE -fuse-ld=lld)
endif()
