// A second machine on the trunk: a kernel, busybox and one tagged link. It asks for an address by DHCP until it has one; then
// it says on its console, once a second, whether the appliance's address in that VLAN answers, and switches itself off in
// the end. On its second serial port is a shell.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Image } from './image.ts';
import type { ApplianceLab } from './lab.ts';
import { Machine } from './machine.ts';

/** In the order in which they need each other. */
const MODULES = [
  ...['drivers/virtio/virtio_ring', 'drivers/virtio/virtio', 'drivers/virtio/virtio_pci_modern_dev'],
  ...['drivers/virtio/virtio_pci_legacy_dev', 'drivers/virtio/virtio_pci'],
  ...['net/core/failover', 'drivers/net/net_failover', 'drivers/net/virtio_net'],
  'net/packet/af_packet',
  ...['net/llc/llc', 'net/802/stp', 'net/802/mrp', 'net/802/garp', 'net/8021q/8021q'],
];
const WORDS = [
  ...['sh', 'mount', 'insmod', 'ip', 'ping', 'poweroff', 'sleep', 'echo', 'udhcpc'],
  ...['stty', 'tftp', 'wget', 'sha256sum', 'cut'],
];

export interface TaggedLink {
  vlan_id: number;
  /** Whom it asks. */
  asks: string;
  /** Seconds until it switches itself off. */
  seconds: number;
}

const init = ({ vlan_id, asks, seconds }: TaggedLink): string => `#!/bin/sh
export PATH=/bin
mount -t proc p /proc
mount -t sysfs s /sys
mount -t devtmpfs d /dev
for m in ${MODULES.map((path) => basename(path)).join(' ')}; do [ -f /m/$m.ko ] && insmod /m/$m.ko; done
ip link set eth0 up
ip link add link eth0 name eth0.${vlan_id} type vlan id ${vlan_id}
ip link set eth0.${vlan_id} up
echo "guest: up"
sh </dev/ttyS1 >/dev/ttyS1 2>&1 &
until udhcpc -i eth0.${vlan_id} -s /leased -f -n -q -t 2 -T 1 >/dev/null 2>&1; do :; done
n=0
while [ $n -lt ${seconds} ]; do
  n=$((n + 1))
  if ping -c 1 -W 1 ${asks} >/dev/null 2>&1; then echo "guest: $n ${asks} answers"; sleep 1; else echo "guest: $n silence"; fi
done
poweroff -f
`;

/** What udhcpc runs: words of its own in the environment. */
const LEASED = `#!/bin/sh
[ "$1" = bound ] || exit 0
ip addr add "$ip/$mask" dev "$interface"
echo "guest: has $ip/$mask from $serverid" >/dev/console
`;

export interface Initrd {
  /** Path of the initial file system. */
  initrd: string;
  remove(): void;
}

/** Writes the initial file system of a guest: busybox under these words, these modules (below `modules`) and programs. */
export function packGuest(
  modules: string,
  { paths, words, programs }: { paths: readonly string[]; words: readonly string[]; programs: Record<string, string> },
): Initrd {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-guest-'));
  const tree = join(folder, 'tree');
  for (const name of ['bin', 'dev', 'proc', 'sys', 'm']) mkdirSync(join(tree, name), { recursive: true });
  const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  cpSync(busybox, join(tree, 'bin/busybox'));
  // A busybox that is not linked statically brings its libraries along.
  const libraries = spawnSync('ldd', [busybox], { encoding: 'utf8' }).stdout.matchAll(/(\/lib\S+)/g);
  for (const [path] of libraries) cpSync(path, join(tree, path), { dereference: true });
  for (const word of words) symlinkSync('busybox', join(tree, 'bin', word));
  for (const path of paths) {
    const file = join(modules, `${path}.ko`);
    if (existsSync(file)) cpSync(file, join(tree, 'm', basename(file)));
  }
  for (const [name, text] of Object.entries(programs)) {
    writeFileSync(join(tree, name), text);
    chmodSync(join(tree, name), 0o755);
  }
  const initrd = join(folder, 'initrd.gz');
  execFileSync('sh', ['-c', `cd "$0" && find . | cpio -o -H newc --quiet | gzip -1 > "$1"`, tree, initrd]);
  return { initrd, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Writes the guest's initial file system; answers its path, and how to remove it. */
export const taggedGuest = (modules: string, link: TaggedLink): Initrd =>
  packGuest(modules, { paths: MODULES, words: WORDS, programs: { init: init(link), leased: LEASED } });

export interface Guest {
  machine: Machine;
  remove(): void;
}

/** Switches it on; it asks for an address in VLAN 20 until somebody answers. `limit`: milliseconds that it may live. */
export function switchOnGuest(
  lab: ApplianceLab,
  { kernel, modules }: Image,
  { shell, mac, limit }: { shell: string; mac: string; limit: number },
): Guest {
  const { initrd, remove } = taggedGuest(modules, { vlan_id: 20, asks: '10.20.0.1', seconds: limit / 1000 });
  const cards = [{ tap: lab.taps.guest, mac }];
  return {
    machine: new Machine({ namespace: lab.namespace, kernel, initrd, memory_mb: 128, cards, shell, limit }),
    remove,
  };
}
