#!/bin/sh
# State transfer among nodes of one lab, run by the server as `wsrep_sst_lab`: both data directories are on this
# machine, so the donor copies into the joiner's. What the server says and expects on standard output is Galera's own
# protocol: the joiner prints "ready ADDRESS" and at the end the state it received, the donor "flush tables",
# "continue" and "done STATE". The address, a port of the joiner's, names the files through which the two meet.
set -u
role='' address='' data='' gtid='' domain=0 bypass=''
while [ $# -gt 0 ]; do
  case "$1" in
    --role) role=$2; shift ;;
    --address) address=$2; shift ;;
    --datadir) data=${2%/}; shift ;;
    --gtid) gtid=$2; shift ;;
    --gtid-domain-id) domain=$2; shift ;;
    --bypass) bypass=yes ;;
  esac
  shift
done
meeting="$data/../../sst-$(printf %s "$address" | tr -c '0-9' '-')"

wait_for() { # FILE SECONDS
  left=$(($2 * 20))
  until [ -s "$1" ]; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || { echo "no $1 after $2 seconds" >&2; exit 110; }
    sleep 0.05
  done
}

case "$role" in
  joiner)
    rm -f "$meeting.state"
    echo "$data" > "$meeting.joiner"
    echo "ready $address"
    wait_for "$meeting.state" 300
    cat "$meeting.state"
    rm -f "$meeting.state" "$meeting.joiner"
    ;;
  donor)
    wait_for "$meeting.joiner" 10
    state="$gtid $domain"
    if [ -z "$bypass" ]; then
      rm -f "$data/tables_flushed"
      echo 'flush tables'
      wait_for "$data/tables_flushed" 120
      state=$(cat "$data/tables_flushed")
      target=$(cat "$meeting.joiner")
      find "$target" -mindepth 1 -maxdepth 1 ! -name 'galera.cache' ! -name 'grastate.dat' ! -name '.ballast' -exec rm -rf {} +
      (cd "$data" && find . -mindepth 1 -maxdepth 1 ! -name 'galera.cache' ! -name 'grastate.dat' \
        ! -name 'gvwstate.dat' ! -name 'auto.cnf' ! -name 'tables_flushed' ! -name 'binlog*' ! -name '.ballast' \
        -exec cp -R {} "$target" \;) || exit 1
      rm -f "$data/tables_flushed"
      echo 'continue'
    fi
    echo "$state" > "$meeting.new"
    mv "$meeting.new" "$meeting.state"
    echo "done $state"
    ;;
  *)
    echo "no role $role" >&2
    exit 22
    ;;
esac
