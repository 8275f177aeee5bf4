# What most files read first, compiled once: for a build of everything (REDRIVE_PRECOMPILE). A build for daily work goes
# without, so that it finds the includes that are missing, and so that the compiler cache is shared between folders.

# redrive_precompiled(TARGET): after the target's links are known. A folder whose files are of widgets says so with
# set(REDRIVE_WIDGETS ON).
function(redrive_precompiled target)
    if(REDRIVE_PRECOMPILE)
        set(of redrive_headers)
        if(REDRIVE_WIDGETS)
            set(of redrive_widget_headers)
        endif()
        target_precompile_headers(${target} REUSE_FROM ${of})
        if(TARGET ${of}_sum)
            add_dependencies(${target} ${of}_sum)
        endif()
    endif()
endfunction()

if(NOT REDRIVE_PRECOMPILE)
    return()
endif()

set(core_headers
    <QByteArray> <QCborArray> <QCborMap> <QCborValue> <QCoreApplication> <QDateTime> <QDir> <QFile> <QFuture> <QHash>
    <QJsonArray> <QJsonDocument> <QJsonObject> <QList> <QLoggingCategory> <QMap> <QObject> <QPromise>
    <QRegularExpression> <QSet> <QString> <QStringList> <QThread> <QTimer> <QUrl> <QVariant>
    <algorithm> <array> <chrono> <deque> <functional> <map> <memory> <optional> <string> <utility> <variant> <vector>)
set(widget_headers
    <QAbstractItemModel> <QApplication> <QComboBox> <QDialog> <QHeaderView> <QLabel> <QLineEdit> <QMenu> <QMessageBox>
    <QPainter> <QPushButton> <QStyle> <QTableView> <QVBoxLayout> <QWidget>)

# The compiler writes other bytes into a precompiled header in every folder and at every run, so the compiler cache would
# know nothing of what reads it. With CCACHE_PCH_EXTSUM (packaging/common.sh) it takes this digest of what was read instead.
function(redrive_precompiled_sum of)
    if(NOT REDRIVE_CCACHE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_GENERATOR STREQUAL "Ninja")
        return() # others name the file otherwise
    endif()
    set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/${of}.dir)
    add_custom_command(OUTPUT ${folder}/cmake_pch.hxx.gch.sum
        COMMAND ${CMAKE_CXX_COMPILER} -std=c++20 -fPIC "-I$<JOIN:$<TARGET_PROPERTY:${of},INCLUDE_DIRECTORIES>,;-I>"
            -w -E -P -x c++ cmake_pch.hxx -o cmake_pch.text
        COMMAND ${CMAKE_COMMAND} -E sha256sum cmake_pch.text > cmake_pch.hxx.gch.sum
        COMMAND ${CMAKE_COMMAND} -E rm cmake_pch.text
        DEPENDS ${folder}/cmake_pch.hxx.gch
        WORKING_DIRECTORY ${folder}
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${of}_sum DEPENDS ${folder}/cmake_pch.hxx.gch.sum)
endfunction()

# Their definitions must be a part of those of every target that reads them, so they link nothing more.
# Written only when it is not there yet: else every run of CMake would have everything compiled again.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "// The compiler wants a file beside the headers.\n")
add_library(redrive_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(redrive_headers PRIVATE redrive_options Qt6::Core)
target_precompile_headers(redrive_headers PRIVATE ${core_headers})
set_target_properties(redrive_headers PROPERTIES AUTOMOC OFF)
redrive_precompiled_sum(redrive_headers)
if(REDRIVE_GUI)
    add_library(redrive_widget_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(redrive_widget_headers PRIVATE redrive_options Qt6::Widgets)
    target_precompile_headers(redrive_widget_headers PRIVATE ${core_headers} ${widget_headers})
    set_target_properties(redrive_widget_headers PROPERTIES AUTOMOC OFF)
    redrive_precompiled_sum(redrive_widget_headers)
endif()
