#!/usr/bin/env bash
# The backend configures with the GUI switched off, asks for no GUI library on the way, and a test of it builds and passes.
set -euo pipefail
source=$1
build=$2
if ! cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
    -DREDRIVE_GUI=OFF -DREDRIVE_TESTS=ON -DREDRIVE_UNITY=ON -DREDRIVE_WERROR=ON >"$build.log" 2>&1; then
    tail -n 40 "$build.log"
    exit 1
fi
# -isystem .../QtGui and libQt6Gui.so are how a GUI library would show.
if grep -qE 'Qt6?(Gui|Widgets|PrintSupport|Svg)\b' "$build/build.ninja"; then
    echo "The build without the GUI still links a GUI library:"
    grep -nE 'Qt6?(Gui|Widgets|PrintSupport|Svg)\b' "$build/build.ninja" | cut -c1-200 | head -n 5
    exit 1
fi
cmake --build "$build" --target tst_records
QT_QPA_PLATFORM=none "$build/tests/backend/core/tst_records"
