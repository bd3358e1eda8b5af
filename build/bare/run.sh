#!/bin/sh
# `npm run bare`: the README's two commands, `npm ci && npm test`, in a Debian 12 that has nothing but what every Debian has,
# Node and npm. `npm run bare -- types unit` (or BARE_STEPS="types unit") picks steps. Prints at the end what was installed,
# how long each part took, and the counts line. Needs root, mmdebstrap, git and the package registries; this machine's npm
# and apt settings are handed over. It takes longer than all suites together, so `npm test` never runs it.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
repository=${here%/build/bare}
steps=${*:-${BARE_STEPS-}}
# npm puts the Node of this repository first on PATH and says which one it was started with itself.
node=$(readlink -f "${npm_node_execpath:-$(command -v node)}")
npm=$(readlink -f "${npm_execpath:-$(command -v npm)}")

for program in mmdebstrap git unshare; do
  command -v "$program" > /dev/null || { echo "$program is missing: install Debian's package of that name (unshare: util-linux)"; exit 2; }
done
[ "$(id -u)" -eq 0 ] || { echo 'only root can make a root folder of Debian: run it with sudo'; exit 2; }

folder=$(mktemp -d "${TMPDIR:-/tmp}/groundcrew-bare-XXXXXX")
root=$folder/root
child=
root_runs=no
interrupted() {
  trap '' INT TERM HUP
  echo interrupted
  # Where the root runs already, its first process: with it ends every other one in there, and no mount is left.
  first=$(cat "/proc/$child/task/$child/children" 2> /dev/null || true)
  # shellcheck disable=SC2086 # at most one number
  case $root_runs in yes) kill -KILL $first ;; no) kill $child ;; esac 2> /dev/null || true
  wait
  exit 130
}
trap 'rm -rf --one-file-system "$folder"' EXIT
trap interrupted INT TERM HUP

# Runs in the background and waited for: a shell sees a signal only between two commands, and at once in `wait`.
run() {
  "$@" < /dev/null &
  child=$!
  status=0
  wait "$child" || status=$?
  child=
  return "$status"
}

apt_settings() { apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|ForceIPv)' || true; }
apt_sources() { grep -l -s -w bookworm /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources || true; }

echo '== Debian 12, the least of it'
apt_settings > "$folder/apt.conf"
# shellcheck disable=SC2046 # no blanks in these paths
run mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates --aptopt="$folder/apt.conf" \
  bookworm "$root" $(apt_sources)

mkdir -p "$root/usr/local/bin" "$root/usr/local/lib/node_modules" "$root/srv"
cp "$node" "$root/usr/local/bin/node"
cp -r "$(dirname "$(dirname "$npm")")" "$root/usr/local/lib/node_modules/npm"
for name in npm npx; do ln -s "../lib/node_modules/npm/bin/$name-cli.js" "$root/usr/local/bin/$name"; done
run git clone --quiet --no-hardlinks "$repository" "$root/srv/groundcrew"
cp "$here/inside.sh" "$root/srv/inside.sh"
cp /etc/resolv.conf /etc/hosts "$root/etc/"
# As in every image of a container: a package that brings a service does not start it.
printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

# npm's settings go in as variables, and in no file of the repository.
set -- HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin CI=true
for name in registry proxy https-proxy noproxy strict-ssl; do
  value=$(cd / && "$node" "$npm" config get "$name")
  [ -z "$value" ] || [ "$value" = null ] || [ "$value" = undefined ] || set -- "$@" "npm_config_$(echo "$name" | tr - _)=$value"
done
authorities=$(cd / && "$node" "$npm" config get cafile)
if [ -f "$authorities" ]; then
  cp "$authorities" "$root/etc/ssl/machine.pem"
  set -- "$@" npm_config_cafile=/etc/ssl/machine.pem
fi
if [ -f "${NODE_EXTRA_CA_CERTS-}" ]; then
  cp "$NODE_EXTRA_CA_CERTS" "$root/etc/ssl/extra.pem"
  set -- "$@" NODE_EXTRA_CA_CERTS=/etc/ssl/extra.pem
fi
for name in http_proxy https_proxy no_proxy; do
  value=$(printenv "$name" || true)
  [ -z "$value" ] || set -- "$@" "$name=$value"
done

root_runs=yes
# shellcheck disable=SC2086 # the steps are words
run unshare --mount --pid --ipc --fork --kill-child env -i "$@" /bin/sh "$here/enter.sh" "$root" $steps
