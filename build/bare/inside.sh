#!/bin/sh
# Process 1 of the bare root: the README's two commands, then what they installed and how long they took. "$@": steps.
set -u
cd /srv/groundcrew

packages() { dpkg-query -W -f '${Package} ${Version}\n' | sort; }
status=0
packages > /srv/before
echo "== Node $(node --version), npm $(npm --version), $(wc -l < /srv/before) packages of Debian $(cat /etc/debian_version)"

echo '== npm ci'
since=$(date +%s)
npm ci || status=$?
installed=$(($(date +%s) - since))

echo '== npm test'
if [ "$status" -eq 0 ]; then
  if [ $# -gt 0 ]; then set -- -- "$@"; fi
  { npm test "$@" 2>&1; echo $? > /srv/status; } | tee /srv/output
  status=$(cat /srv/status)
else
  echo '0 passed, 1 failed' > /srv/output
fi

packages > /srv/after
added=$(comm -13 /srv/before /srv/after)
echo "== Debian packages that were installed: $(printf '%s' "$added" | grep -c .)"
[ -z "$added" ] || printf '%s\n' "$added"
echo '== npm'
npm ls --all --parseable 2> /dev/null | tail -n +2 | wc -l | sed 's/$/ packages in node_modules/'
if [ -d node_modules/sqlite3 ]; then echo 'SQLite driver: sqlite3'; else echo 'SQLite driver: node:sqlite (the addon could not be built here)'; fi
echo "== times"
printf '%-10s %6d s\n' 'npm ci' "$installed"
sed -n '/^[a-z][a-z ]* *[0-9.]* s  [0-9N]/p' /srv/output
grep -E '^[0-9]+ passed, [0-9]+ failed' /srv/output | tail -n 1 || echo '0 passed, 1 failed'
exit "$status"
