// A machine of the lab that boots over the network, as far as its firmware and iPXE ask the appliance: first programs over
// TFTP, everything else over plain HTTP. The guest in the VLAN does the asking.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';
import type { Operator } from './operator.ts';

const PORT = 8081;
/** Milliseconds. */
const LIMIT = 300_000;

export class Booting {
  readonly #machine: Machine;
  readonly #address: string;

  /** `address` of the appliance in the machine's network. */
  constructor(machine: Machine, address: string) {
    this.#machine = machine;
    this.#address = address;
  }

  /** SHA-256 of a file that came over TFTP; for a refusal the words of the client. */
  tftp(name: string): Promise<string> {
    const fetched = `tftp -g -r ${name} -l /fetched ${this.#address} && sha256sum </fetched | cut -d ' ' -f 1`;
    return this.#machine.inside(fetched, LIMIT);
  }

  /** What the boot listener answers; for a refusal the words of the client, with the status in them. */
  http(path: string): Promise<string> {
    return this.#machine.inside(`wget -q -O - 'http://${this.#address}:${PORT}${path}'`, LIMIT);
  }

  menu(mac: string): Promise<string> {
    return this.http(`/boot/menu.ipxe?mac=${mac.replaceAll(':', '-')}&firmware=pcbios`);
  }
}

/** The menu of the machine that `bootable` adds. */
export const MENU = /^#!ipxe\n[\s\S]*esx01/;

/** Network boot on this interface, with one machine whose Kickstart needs the secret. */
export async function bootable(
  operator: Operator,
  on: string,
  { hostname, mac, secret }: { hostname: string; mac: string; secret: string },
): Promise<void> {
  const path = '/api/v1/network-boot';
  await operator.expect('PATCH', `${path}/settings`, { enabled: true, listen_interfaces: [on] });
  const text = 'vmaccepteula\ninstall --firstdisk\nrootpw {{ var.root_password }}\nreboot\n';
  const kickstart = await operator.expect('POST', `${path}/kickstarts`, { name: 'Lab hosts', text });
  const host = { hostname, mac_address: mac, variables: { root_password: secret } };
  await operator.expect('POST', `${path}/esxi-hosts`, { ...host, kickstart_id: kickstart.id });
}

/** SHA-256 of a first program as Debian ships it; `system` is the folder of the appliance's file system. */
export function shippedProgram(system: string, name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(system, 'usr/lib/ipxe', name)))
    .digest('hex');
}
