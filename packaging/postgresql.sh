# Read by run.sh: a PostgreSQL of its own for stores that several consoles share, in a folder that only its user can enter.
# shellcheck shell=bash
set -euo pipefail

postgresql_programs=/usr/lib/postgresql/15/bin
postgresql_folder=${TMPDIR:-/tmp}/redrive-postgresql-$(id -u)
postgresql_url="postgresql://redrive@/postgres?host=$postgresql_folder"

# PostgreSQL refuses to run as root.
postgresql_as=()
if [ "$(id -u)" = 0 ]; then
    postgresql_as=(setpriv --reuid=postgres --regid=postgres --init-groups)
fi

postgresql_runs() {
    "${postgresql_as[@]}" "$postgresql_programs/pg_ctl" -D "$postgresql_folder/data" status >/dev/null 2>&1
}

# Nothing is started if it runs already; then nothing is to be stopped either.
start_postgresql() {
    [ -x "$postgresql_programs/postgres" ] || give_up "PostgreSQL 15 was not found in $postgresql_programs."
    mkdir -p -m 700 "$postgresql_folder"
    [ "$(id -u)" != 0 ] || chown postgres: "$postgresql_folder"
    cd "$postgresql_folder"
    if [ ! -d data ]; then
        quietly "${postgresql_as[@]}" "$postgresql_programs/initdb" -D data -U redrive -A trust -E UTF8 --locale=C.UTF-8 ||
            give_up "PostgreSQL could not make its folder $postgresql_folder/data; its message is above."
    fi
    quietly "${postgresql_as[@]}" "$postgresql_programs/pg_ctl" -D data -l log -w \
        -o "-c listen_addresses='' -k '$postgresql_folder'" start ||
        give_up "PostgreSQL did not start; see $postgresql_folder/log."
    trap stop_postgresql EXIT
    cd "$root"
}

# Not under the feet of another console.
stop_postgresql() {
    local others="SELECT count(DISTINCT client_port) FROM pg_stat_activity WHERE application_name = 'redrive'"
    if [ "$(psql "$postgresql_url" -Atc "$others" 2>/dev/null || echo 0)" != 0 ]; then
        echo "PostgreSQL runs until the other consoles are closed."
        while [ "$(psql "$postgresql_url" -Atc "$others" 2>/dev/null || echo 0)" != 0 ]; do
            sleep 1
        done
    fi
    "${postgresql_as[@]}" "$postgresql_programs/pg_ctl" -D "$postgresql_folder/data" -m fast stop >/dev/null 2>&1 || true
}
