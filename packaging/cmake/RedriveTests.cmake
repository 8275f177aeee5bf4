# redrive_test(tst_name LINKS ... [LABELS ...] [TIMEOUT s] [RUNS redrive_headless ...] [DEFINES A=b ...] [BESIDE_OTHERS]
#              [POSTGRESQL] [RABBITMQ ... [CLASSIC_ONLY]] [ALONE | SOURCES ...]): the test class of tst_name.cpp, run without a display.
# The classes of a folder are one program, tests_<folder>, which is compiled and linked together: CTest starts it once for each
# of them (tests/support/testmain/testmain.h). ALONE, SOURCES or the label "release" give a class a program of its own.
# RUNS names programs that the test starts; REDRIVE_PROGRAM is then redrive_headless.
# A test labelled "release" is built without sanitizers only. It measures speed or memory and runs alone, or else says
# BESIDE_OTHERS: it does much that costs ten times as much with them.
# POSTGRESQL: it runs on stores in PostgreSQL, too (tests/support/store/storeplace.h). Such a run, and that of a test labelled "postgresql",
# writes the statements that the server understood.
# RABBITMQ: it runs on other RabbitMQ servers, too, with CLASSIC_ONLY on classic queues alone (redrive_rabbitmq_runs).
function(redrive_test name)
    cmake_parse_arguments(ARG "BESIDE_OTHERS;ALONE;CLASSIC_ONLY;POSTGRESQL" "TIMEOUT" "SOURCES;LINKS;LABELS;RUNS;DEFINES;RABBITMQ" ${ARGN})
    redrive_wants_test(wanted ${ARG_LABELS})
    if(NOT wanted)
        return()
    endif()
    if("redrive_headless" IN_LIST ARG_RUNS)
        list(APPEND ARG_DEFINES REDRIVE_PROGRAM="$<TARGET_FILE:redrive_headless>")
    endif()
    if(ARG_ALONE OR ARG_SOURCES OR "release" IN_LIST ARG_LABELS)
        redrive_test_program(${name}
            SOURCES ${ARG_SOURCES} LINKS ${ARG_LINKS} RUNS ${ARG_RUNS} DEFINES ${ARG_DEFINES})
        set(command ${name})
    else()
        redrive_test_in_folder(program ${name} LINKS ${ARG_LINKS} RUNS ${ARG_RUNS} DEFINES ${ARG_DEFINES})
        set(command ${program} ${name})
    endif()
    set(statements)
    if("postgresql" IN_LIST ARG_LABELS)
        set(statements REDRIVE_STATEMENTS=${CMAKE_BINARY_DIR}/statements/${name}.sql)
    endif()
    redrive_test_run(${name} "${command}" TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS} ENVIRONMENT ${statements})
    if(statements)
        set_tests_properties(${name} PROPERTIES FIXTURES_SETUP statements)
    endif()
    if("release" IN_LIST ARG_LABELS AND NOT ARG_BESIDE_OTHERS)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL TRUE)
    endif()
    if(ARG_POSTGRESQL)
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/statements)
        redrive_test_run(${name}_on_postgresql "${command}"
            TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS} postgresql
            ENVIRONMENT REDRIVE_TEST_STORE=postgresql REDRIVE_STATEMENTS=${CMAKE_BINARY_DIR}/statements/${name}.sql)
        set_tests_properties(${name}_on_postgresql PROPERTIES
            FIXTURES_SETUP statements SKIP_REGULAR_EXPRESSION "SKIP   : [^\n]*libqt6sql6-psql")
    endif()
    if(ARG_RABBITMQ)
        set(only)
        if(ARG_CLASSIC_ONLY)
            set(only CLASSIC_ONLY)
        endif()
        redrive_rabbitmq_runs(${name} "${command}" ${only} ORDINARY ${ARG_RABBITMQ} TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS})
    endif()
endfunction()

# Further runs of a test: on the RabbitMQ servers of packaging/install-rabbitmqs.sh, and with quorum queues where a queue is
# declared without a type. ORDINARY names those that always run; the others are labelled "long". ORDINARY none: all are.
# CLASSIC_ONLY: on classic queues alone.
# What a server cannot do is skipped. tests/README.md has the table.
function(redrive_rabbitmq_runs name command)
    cmake_parse_arguments(ARG "CLASSIC_ONLY" "TIMEOUT" "ORDINARY;LABELS;ENVIRONMENT" ${ARGN})
    set(all installed-quorum trixie-classic trixie-quorum sid-classic sid-quorum)
    if(ARG_CLASSIC_ONLY)
        set(all trixie-classic sid-classic)
    endif()
    foreach(where IN LISTS all)
        string(REGEX MATCH "^[a-z]+" suite ${where})
        string(REGEX MATCH "[a-z]+$" type ${where})
        set(environment ${ARG_ENVIRONMENT})
        if(NOT suite STREQUAL "installed")
            list(APPEND environment REDRIVE_RABBITMQ=${suite})
        endif()
        if(type STREQUAL "quorum")
            list(APPEND environment REDRIVE_RABBITMQ_QUEUES=quorum)
        endif()
        set(labels ${ARG_LABELS} rabbitmq)
        if(NOT where IN_LIST ARG_ORDINARY)
            list(APPEND labels long)
        endif()
        redrive_test_run(${name}_on_${where} "${command}"
            TIMEOUT ${ARG_TIMEOUT} LABELS ${labels} ENVIRONMENT ${environment})
        set_tests_properties(${name}_on_${where} PROPERTIES
            SKIP_REGULAR_EXPRESSION "SKIP   : [A-Za-z:]+::initTestCase")
    endforeach()
endfunction()

# A program for one class; several runs of CTest may start it.
function(redrive_test_program name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINKS;RUNS;DEFINES" ${ARGN})
    add_executable(${name} ${name}.cpp ${ARG_SOURCES})
    redrive_prepare_test_program(${name} LINKS ${ARG_LINKS} RUNS ${ARG_RUNS} DEFINES ${ARG_DEFINES})
    if(NOT ARG_SOURCES)
        redrive_test_moc(${name} ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    endif()
endfunction()

# The program of the tests of this folder, and where it lies: tests_models for all of tests/models, tests_backend_engine for
# tests/backend/engine.
function(redrive_folder_program result place)
    file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
    string(REGEX MATCH "^tests/(backend/)?[^/]+" folder ${folder})
    set(${place} ${CMAKE_BINARY_DIR}/${folder} PARENT_SCOPE)
    string(REPLACE "/" "_" folder ${folder})
    set(${result} ${folder} PARENT_SCOPE)
endfunction()

# Keeps a class for redrive_folder_programs(), and returns its program.
function(redrive_test_in_folder result name)
    cmake_parse_arguments(ARG "" "" "LINKS;RUNS;DEFINES" ${ARGN})
    redrive_folder_program(program place)
    set_property(GLOBAL APPEND PROPERTY redrive_folder_programs ${program})
    set_property(GLOBAL APPEND PROPERTY ${program}_sources ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp)
    foreach(what IN ITEMS LINKS RUNS DEFINES)
        set_property(GLOBAL APPEND PROPERTY ${program}_${what} ${ARG_${what}})
    endforeach()
    set_property(GLOBAL PROPERTY ${program}_place ${place})
    set_property(GLOBAL PROPERTY ${program}_widgets ${REDRIVE_WIDGETS})
    set(${result} ${program} PARENT_SCOPE)
endfunction()

# Makes the programs of all folders; called once, after all tests are known.
function(redrive_folder_programs)
    get_property(programs GLOBAL PROPERTY redrive_folder_programs)
    list(REMOVE_DUPLICATES programs)
    foreach(program IN LISTS programs)
        get_property(REDRIVE_WIDGETS GLOBAL PROPERTY ${program}_widgets)
        set(with)
        foreach(what IN ITEMS LINKS RUNS DEFINES)
            get_property(values GLOBAL PROPERTY ${program}_${what})
            list(REMOVE_DUPLICATES values)
            list(APPEND with ${what} ${values})
        endforeach()
        get_property(sources GLOBAL PROPERTY ${program}_sources)
        get_property(place GLOBAL PROPERTY ${program}_place)
        add_executable(${program})
        set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${place})
        redrive_prepare_test_program(${program} ${with})
        redrive_test_moc(${program} ${sources})
        redrive_test_sources(${program} ${sources})
    endforeach()
endfunction()

# With REDRIVE_UNITY a few classes are one source: most of their cost is what they include.
function(redrive_test_sources program)
    set(sources ${ARGN})
    if(NOT REDRIVE_UNITY)
        target_sources(${program} PRIVATE ${sources})
        return()
    endif()
    redrive_is_unity(${program})
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    set(script ${CMAKE_SOURCE_DIR}/packaging/cmake/test_unity.py)
    set(number 0)
    while(sources)
        list(SUBLIST sources 0 8 some)
        list(REMOVE_ITEM sources ${some})
        set(unity ${CMAKE_CURRENT_BINARY_DIR}/unity/${program}_${number}.cpp)
        add_custom_command(OUTPUT ${unity}
            COMMAND Python3::Interpreter ${script} ${unity} ${some}
            DEPENDS ${script} ${some} VERBATIM)
        target_sources(${program} PRIVATE ${unity})
        math(EXPR number "${number} + 1")
    endwhile()
endfunction()

function(redrive_prepare_test_program program)
    cmake_parse_arguments(ARG "" "" "LINKS;RUNS;DEFINES" ${ARGN})
    target_link_libraries(${program} PRIVATE redrive_options Qt6::Test ${ARG_LINKS})
    target_compile_definitions(${program} PRIVATE ${ARG_DEFINES})
    redrive_adds_object(${program} redrive_testmain ${CMAKE_SOURCE_DIR}/tests/support/testmain/testmain.cpp Qt6::Test)
    redrive_ends_alone(${program})
    redrive_precompiled(${program})
    foreach(started IN LISTS ARG_RUNS)
        add_dependencies(${program} ${started})
    endforeach()
endfunction()

# moc for sources that hold their class. It needs no header for that, and reads such a file in a hundredth of the time that it
# takes with all of them. AUTOMOC would add two steps and a translation unit without content besides.
function(redrive_test_moc program)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/moc)
    file(MAKE_DIRECTORY ${folder} ${CMAKE_CURRENT_BINARY_DIR}/unity)
    foreach(source IN LISTS ARGN)
        get_filename_component(test ${source} NAME_WE)
        add_custom_command(OUTPUT ${folder}/${test}.moc
            COMMAND Qt6::moc ${source} -o ${folder}/${test}.moc
            DEPENDS ${source} VERBATIM)
        target_sources(${program} PRIVATE ${folder}/${test}.moc)
    endforeach()
    target_include_directories(${program} PRIVATE ${folder})
    set_target_properties(${program} PROPERTIES AUTOMOC OFF)
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

# redrive_ends_alone(TARGET): for every test program of a build with sanitizers; tests/support/endalone.cpp says why.
function(redrive_ends_alone target)
    if(REDRIVE_SANITIZE)
        redrive_adds_object(${target} redrive_endalone ${CMAKE_SOURCE_DIR}/tests/support/endalone.cpp Qt6::Core)
    endif()
endfunction()

# One source that many programs have, compiled once.
function(redrive_adds_object target object source links)
    if(NOT TARGET ${object})
        add_library(${object} OBJECT ${source})
        target_link_libraries(${object} PRIVATE redrive_options ${links})
    endif()
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${object}>)
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
