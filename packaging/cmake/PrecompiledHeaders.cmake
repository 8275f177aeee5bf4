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

# Their definitions must be a part of those of every target that reads them, so they link nothing more.
# Written only when it is not there yet: else every run of CMake would have everything compiled again.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "// The compiler wants a file beside the headers.\n")
add_library(redrive_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
target_link_libraries(redrive_headers PRIVATE redrive_options Qt6::Core)
target_precompile_headers(redrive_headers PRIVATE ${core_headers})
set_target_properties(redrive_headers PROPERTIES AUTOMOC OFF)
if(REDRIVE_GUI)
    add_library(redrive_widget_headers OBJECT ${CMAKE_BINARY_DIR}/precompiled.cpp)
    target_link_libraries(redrive_widget_headers PRIVATE redrive_options Qt6::Widgets)
    target_precompile_headers(redrive_widget_headers PRIVATE ${core_headers} ${widget_headers})
    set_target_properties(redrive_widget_headers PROPERTIES AUTOMOC OFF)
endif()
