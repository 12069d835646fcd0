#!/bin/sh
# Get the browser that the tests of HTML reports drive: Debian's or Ubuntu's own chromium, where it is missing and we
# may install it. Without one those tests are skipped with a loud line; under CI=true that is an error.
set -eu

for name in chromium chromium-browser google-chrome chrome; do
    "$name" --version >/dev/null 2>&1 && exit 0 # a name alone may be a stub that wants to fetch something
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing chromium for the tests of HTML reports"
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends chromium >/dev/null && exit 0
fi
echo "NO BROWSER: HTML reports are NOT TESTED in one. As root: apt-get install chromium" >&2
[ "${CI:-}" != true ]
