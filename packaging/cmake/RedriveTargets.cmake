# redrive_library(NAME SOURCES a.cpp a.h ... [DEPENDS ...] [PRIVATE_DEPENDS ...]): one library for one folder.
# It is static in what users get. In the build with sanitizers it is shared (REDRIVE_SHARED): two hundred tests that each
# carry their libraries would be 19 GB and spend more time in the linker than in themselves.
function(redrive_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
    add_library(${name} ${ARG_SOURCES})
    # The same command line in every build: without NAME_EXPORTS, which nothing reads.
    set_target_properties(${name} PROPERTIES DEFINE_SYMBOL "")
    target_link_libraries(${name} PUBLIC redrive_options ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
    redrive_precompiled(${name})
    redrive_unity(${name})
endfunction()

# For a build of everything (REDRIVE_UNITY): names that are local to a file must differ within a folder.
function(redrive_unity target)
    if(NOT REDRIVE_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # It takes the file that includes the others for a header, so that what is local in them looks shared.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# redrive_interface(NAME HEADERS ... [DEPENDS ...]): headers only, so that users of an interface never link what implements it.
function(redrive_interface name)
    cmake_parse_arguments(ARG "" "" "HEADERS;DEPENDS" ${ARGN})
    add_library(${name} INTERFACE ${ARG_HEADERS})
    target_link_libraries(${name} INTERFACE redrive_options ${ARG_DEPENDS})
endfunction()

# redrive_ends_alone(TARGET): for every test program of a build with sanitizers; tests/support/endalone.cpp says why.
function(redrive_ends_alone target)
    if(NOT REDRIVE_SANITIZE)
        return()
    endif()
    if(NOT TARGET redrive_endalone)
        add_library(redrive_endalone OBJECT ${CMAKE_SOURCE_DIR}/tests/support/endalone.cpp)
        target_link_libraries(redrive_endalone PRIVATE redrive_options Qt6::Core)
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:redrive_endalone>)
endfunction()

# redrive_support(NAME SOURCES ... LINKS ...): helpers that several tests share; built where a test of this build links them.
function(redrive_support name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_library(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC redrive_options ${ARG_LINKS})
    redrive_precompiled(${name})
endfunction()

# redrive_test(tst_name LINKS ... [LABELS ...] [TIMEOUT s]): one Qt Test executable from tst_name.cpp, run without a display.
# A test labelled "release" is built without sanitizers only. It measures speed or memory and runs alone, or else says
# BESIDE_OTHERS: it does much that costs ten times as much with them.
function(redrive_test name)
    cmake_parse_arguments(ARG "BESIDE_OTHERS" "TIMEOUT" "SOURCES;LINKS;LABELS" ${ARGN})
    redrive_wants_test(wanted ${ARG_LABELS})
    if(NOT wanted)
        return()
    endif()
    redrive_test_program(${name} SOURCES ${ARG_SOURCES} LINKS ${ARG_LINKS})
    redrive_test_run(${name} ${name} TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS})
    if("release" IN_LIST ARG_LABELS AND NOT ARG_BESIDE_OTHERS)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
endfunction()

# The two halves of redrive_test, for a program that several tests run.
function(redrive_test_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
    add_executable(${name} ${name}.cpp ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE redrive_options Qt6::Test ${ARG_LINKS})
    redrive_ends_alone(${name})
    redrive_precompiled(${name})
    if(NOT ARG_SOURCES)
        redrive_moc_alone(${name})
    endif()
endfunction()

function(redrive_test_run name program)
    cmake_parse_arguments(ARG "" "TIMEOUT" "LABELS;ENVIRONMENT" ${ARGN})
    add_test(NAME ${name} COMMAND ${program})
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 300)
    endif()
    # Qt Test ends a function after five minutes, whatever the test may take and however slow the machine is.
    math(EXPR milliseconds "${ARG_TIMEOUT} * 1000")
    set(environment
        QTEST_FUNCTION_TIMEOUT=${milliseconds} QT_QPA_PLATFORM=offscreen QT_FORCE_ASSERTS=1 LC_ALL=C.UTF-8 TZ=UTC
        UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 ${ARG_ENVIRONMENT})
    set_tests_properties(${name} PROPERTIES
        TIMEOUT ${ARG_TIMEOUT}
        LABELS "${ARG_LABELS}"
        ENVIRONMENT "${environment}")
endfunction()

# For a target of one source that includes its own .moc: one call of moc. AUTOMOC would add two steps and a translation unit
# without content to each of many tests.
function(redrive_moc_alone target)
    set(moc ${CMAKE_CURRENT_BINARY_DIR}/${target}.moc)
    set_target_properties(${target} PROPERTIES AUTOMOC OFF)
    qt_generate_moc(${target}.cpp ${moc} TARGET ${target})
    target_sources(${target} PRIVATE ${moc})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
endfunction()

# Sets `result` to whether a test with these labels belongs to this build: see REDRIVE_TEST_LABEL.
function(redrive_wants_test result)
    set(${result} TRUE PARENT_SCOPE)
    if(REDRIVE_TEST_LABEL AND NOT REDRIVE_TEST_LABEL IN_LIST ARGN)
        set(${result} FALSE PARENT_SCOPE)
    elseif(REDRIVE_SANITIZE AND "release" IN_LIST ARGN)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
