#!/bin/sh
# Makes the virtual environment $1 with the newest Python from 3.11 that can make one;
# where there is none, says which command gets it.
set -eu
target=$1

has() { # has PYTHON CODE: whether that Python runs and the code succeeds
    command -v "$1" >/dev/null 2>&1 && "$1" -c "$2" >/dev/null 2>&1
}

for python in python3.15 python3.14 python3.13 python3.12 python3.11 python3; do
    has "$python" 'import sys; sys.exit(sys.version_info < (3, 11))' || continue
    young=${young:-$python}
    has "$python" 'import venv, ensurepip' || continue
    "$python" -m venv "$target"
    exit 0
done

system=$(. /etc/os-release 2>/dev/null && echo "$ID ${VERSION_ID:-}" || uname -s)
if [ -n "${young:-}" ]; then
    package=$("$young" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    echo "advisor: $(command -v "$young") cannot make virtual environments (venv or ensurepip is missing). Get them with:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y $package" >&2
    exit 1
fi
echo "advisor: Python 3.11 or newer is needed; found $(python3 --version 2>/dev/null || echo none). Get it with:" >&2
case $system in
    Darwin*) echo "    brew install python@3.13" >&2 ;;
    "ubuntu 22.04") echo "    sudo apt-get update && sudo apt-get install -y python3.11 python3.11-venv" >&2 ;;
    debian*|ubuntu*) echo "    sudo apt-get update && sudo apt-get install -y python3 python3-venv    # Debian 12, Ubuntu 24.04 or newer" >&2 ;;
    rhel*|rocky*|almalinux*|centos*|ol*) echo "    sudo dnf install -y python3.12" >&2 ;;
    *) echo "    your system's packages python3 (3.11 or newer) and python3-venv" >&2 ;;
esac
exit 1
