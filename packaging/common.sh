# Read by run.sh and test.sh: where we are, steps with their time, and root for nothing but the packages.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 LC_ALL=C.UTF-8
# Without this the cache refuses every file that reads a precompiled header. A header that changes is still seen: its
# contents are hashed, only its times are not.
export CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
# The digest that the build makes of a precompiled header stands for it: its bytes differ in every folder.
export CCACHE_PCH_EXTSUM=1
# A header that did not change is hashed once, not for each file that reads it.
export CCACHE_INODECACHE=1

# Hits and misses of the compiler cache since it was made; 0 0 without one.
cache_counts() {
    { ccache --print-stats 2>/dev/null || true; } | awk '
        /^(direct|preprocessed)_cache_hit\t/ { hits += $2 }
        /^cache_miss\t/ { misses += $2 }
        END { print hits + 0, misses + 0 }'
}

step_name=
step_start=0
end_step() {
    if [ -n "$step_name" ]; then
        printf -- '-- %s: %d s\n' "$step_name" $((SECONDS - step_start))
    fi
    step_name=
}
step() {
    end_step
    step_name=$1
    step_start=$SECONDS
    printf '== %s\n' "$1"
}
give_up() {
    printf '%s: %s\n' "$(basename "$0")" "$1" >&2
    exit 1
}

# Runs a command quietly; shows the end of what it said only when it fails.
quietly() {
    local log
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        tail -n 60 "$log" >&2
        rm -f "$log"
        return 1
    fi
    rm -f "$log"
}

# `sudo packaging/run.sh` needs root for the packages alone: go on as the person who called, so that build/ is theirs.
leave_root() {
    if [ "$(id -u)" = 0 ] && [ -n "${SUDO_USER:-}" ] && [ "$SUDO_USER" != root ]; then
        exec sudo -u "$SUDO_USER" -H \
            --preserve-env=DISPLAY,WAYLAND_DISPLAY,XAUTHORITY,XDG_RUNTIME_DIR,DBUS_SESSION_BUS_ADDRESS,CCACHE_DIR \
            "$0" "$@"
    fi
}
