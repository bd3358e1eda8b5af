// A machine of the lab that boots over the network, as far as its firmware and iPXE ask the appliance: first programs over
// TFTP, everything else over plain HTTP. The guest in the VLAN does the asking.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from './machine.ts';

const PORT = 8081;
/** Milliseconds. */
const LIMIT = 30_000;

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

/** SHA-256 of a first program as Debian ships it; `system` is the folder of the appliance's file system. */
export function shippedProgram(system: string, name: string): string {
  return createHash('sha256')
    .update(readFileSync(join(system, 'usr/lib/ipxe', name)))
    .digest('hex');
}
