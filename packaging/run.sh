#!/usr/bin/env bash
# Installs what is missing, builds Redrive in release and opens its demonstration. Without a display the same
# demonstration runs to its end and prints the result. Other arguments go to the program instead of `demo`.
#   packaging/run.sh --postgresql demo   the demonstration on a shared store, in a PostgreSQL of its own
#   packaging/run.sh --postgresql        meanwhile: another console on the same store; also with other arguments
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
. "$(dirname "${BASH_SOURCE[0]}")/postgresql.sh"

step "Packages"
if [ "${1:-}" = --postgresql ]; then
    "$root/packaging/install-deps.sh" --postgresql
else
    "$root/packaging/install-deps.sh" --run
fi
end_step
leave_root "$@"

step "Configure (release)"
cd "$root"
quietly cmake --preset release -DREDRIVE_TESTS=OFF || give_up "CMake could not configure build/release; its message is above."

step "Build redrive with $jobs jobs"
if [ ! -x build/release/app/redrive ]; then
    echo "The first build takes six to seven minutes on two idle cores; later ones compile only what changed."
fi
export NINJA_STATUS='[%p, step %f of %t, %e s] '
cmake --build build/release --target redrive -j "$jobs" || give_up "the build failed; the compiler's messages are above."
end_step

program=$root/build/release/app/redrive
[ -x "$program" ] || give_up "$program was not built."
if [ "${1:-}" = --postgresql ]; then
    shift
    postgresql_runs || start_postgresql
    if [ "${1:-}" = demo ]; then
        quietly psql "$postgresql_url" -c 'DROP SCHEMA IF EXISTS redrive CASCADE'
        echo "Another console on the same store, from another terminal: packaging/run.sh --postgresql"
    fi
    if [ "${1:-}" = demo ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        set -- "$@" --headless
    fi
    "$program" "$@" --store "$postgresql_url"
    exit
fi
if [ $# -gt 0 ]; then
    exec "$program" "$@"
fi
if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    step "Demonstration without a display"
    exec "$program" demo --headless
fi
step "Demonstration"
exec "$program" demo
