// Two records of our own, by which the running service shows which files it has read. Each has the digest of its own
// file, so that it changes with the file:
//  - an address on the last line of the hosts file shows that a reload (SIGHUP) has read the whole file, and with it the
//    file of servers;
//  - a text in the configuration shows that the restart happened.
// Their names are below `invalid` (RFC 6761): they can't collide with a managed name, and are never forwarded.
import { createHash } from 'node:crypto';
import { parseAddress } from '../../ground/addresses/address.ts';

export const SENTINEL_ZONE = 'groundcrew.invalid';
export const HOSTS_SENTINEL = `hosts.${SENTINEL_ZONE}`;
export const CONF_SENTINEL = `conf.${SENTINEL_ZONE}`;

/** 120 bits of the content's digest as an address of the locally assigned range fd00::/8 (RFC 4193). */
export function digestAddress(content: string): string {
  const hex = `fd${createHash('sha256').update(content).digest('hex').slice(0, 30)}`;
  const address = parseAddress(hex.replace(/(.{4})(?=.)/g, '$1:'));
  if (!address) throw new TypeError('A digest always makes an address.');
  return address.text;
}

export function digestText(content: string): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}
