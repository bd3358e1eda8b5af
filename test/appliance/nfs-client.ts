// A host that mounts datastores: a kernel with its own NFS client, busybox and one link with a fixed address. It waits for
// what is typed in the shell on its second serial port.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Image } from './image.ts';
import type { ApplianceLab } from './lab.ts';
import { Machine } from './machine.ts';
import { type Guest, packGuest } from './tagged-guest.ts';

/** What it needs of the kernel's modules; what these need, modules.dep says (depmod(8)). */
const WANTED = ['virtio_pci', 'virtio_net', 'af_packet', 'nfsv3', 'nfsv4'];
const WORDS = [
  'sh',
  'mount',
  'umount',
  'insmod',
  'ip',
  'echo',
  'sleep',
  'stty',
  'cat',
  'dd',
  'ls',
  'mkdir',
  'sync',
  'df',
  'rm',
];

/** Paths below the folder of modules, without `.ko`, in the order in which they need each other. */
function inOrder(modules: string): string[] {
  const needs = new Map<string, string[]>();
  for (const line of readFileSync(join(modules, '../modules.dep'), 'utf8').split('\n')) {
    const [path = '', rest = ''] = line.split(':');
    needs.set(path, rest.split(' ').filter(Boolean));
  }
  const ordered = new Set<string>();
  for (const name of WANTED) {
    const path = [...needs.keys()].find((each) => basename(each) === `${name}.ko`);
    // What is missing is built in.
    if (path !== undefined) for (const each of [...needs.get(path)!.toReversed(), path]) ordered.add(each);
  }
  return [...ordered].map((path) => path.replace(/^kernel\//, '').replace(/\.ko$/, ''));
}

const init = (address: string, paths: readonly string[]): string => `#!/bin/sh
export PATH=/bin
mount -t proc p /proc
mount -t sysfs s /sys
mount -t devtmpfs d /dev
for m in ${paths.map((path) => basename(path)).join(' ')}; do insmod /m/$m.ko; done
ip link set lo up
ip link set eth0 up
ip addr add ${address} dev eth0
mkdir /a /b
echo "client: up"
while :; do sh </dev/ttyS1 >/dev/ttyS1 2>&1; done
`;

/** Switches it on. `address`: its own, with the prefix. */
export function switchOnClient(
  lab: ApplianceLab,
  { kernel, modules }: Image,
  { shell, mac, address, limit }: { shell: string; mac: string; address: string; limit: number },
): Guest {
  const paths = inOrder(modules);
  const { initrd, remove } = packGuest(modules, { paths, words: WORDS, programs: { init: init(address, paths) } });
  const cards = [{ tap: lab.taps.guest, mac }];
  return {
    machine: new Machine({ namespace: lab.namespace, kernel, initrd, memory_mb: 192, cards, shell, limit }),
    remove,
  };
}
