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
if(REDRIVE_SANITIZE)
    target_compile_options(redrive_options INTERFACE -fsanitize=${REDRIVE_SANITIZE} -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC 12 with sanitizers sees uninitialised strings in every co_return of a Result; without them it does not.
        target_compile_options(redrive_options INTERFACE -Wno-maybe-uninitialized)
    endif()
    target_link_options(redrive_options INTERFACE -fsanitize=${REDRIVE_SANITIZE})
endif()

find_program(REDRIVE_CCACHE ccache)
if(REDRIVE_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${REDRIVE_CCACHE})
endif()
find_program(REDRIVE_LLD ld.lld)
if(REDRIVE_LLD)
    target_link_options(redrive_options INTERFACE -fuse-ld=lld)
endif()
