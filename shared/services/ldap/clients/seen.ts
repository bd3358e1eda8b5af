// Who signs in from where: the connections that slapd tells of, asked for every few seconds and kept while the service runs.
// slapd's log would tell of every bind, but belongs to the machine; a connection that ends between two looks is not seen
// here, and the account's own last sign-in tells of it.
import type { Host } from '../../../ground/machine/host.ts';
import type { Entry } from '../follow/ldif.ts';
import { searchDirectory } from '../follow/socket.ts';

export interface SeenClient {
  address: string;
  /** Distinguished name that it signed in as last. */
  dn: string;
  /** RFC 3339. */
  at: string;
}

/** Addresses that are remembered: those seen last. */
const MOST = 200;
const CONNECTIONS = 'cn=Connections,cn=Monitor';
const READ = ['monitorConnectionPeerAddress', 'monitorConnectionAuthzDN'];

const seen = new WeakMap<object, Map<string, SeenClient>>();

/** `IP=10.0.0.5:41234` or `IP=[fd00::5]:41234` → its address; null for others. */
export const peerOf = (text: string): string | null =>
  /^IP=(?:\[([0-9a-f:.]+)\]|([0-9.]+)):\d+$/i
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined) ?? null;

/** Pure: connections of clients that have signed in, without the appliance's own. */
export function clientsIn(entries: readonly Entry[], at: string): SeenClient[] {
  return entries.flatMap(({ attributes }) => {
    const address = peerOf(attributes.monitorConnectionPeerAddress?.[0] ?? '');
    const dn = attributes.monitorConnectionAuthzDN?.[0] ?? '';
    return address === null || dn === '' || dn.startsWith('cn=applied,ou=system,') ? [] : [{ address, dn, at }];
  });
}

/** Looks once. @throws DirectoryFault */
export async function lookForClients(host: Pick<Host, 'exec' | 'resolve'>, store: object, at: string): Promise<void> {
  const found = clientsIn(await searchDirectory(host, CONNECTIONS, READ, 'sub', '(objectClass=monitorConnection)'), at);
  const all = seen.get(store) ?? new Map<string, SeenClient>();
  for (const client of found) {
    // Last in the order of the map.
    all.delete(client.address);
    all.set(client.address, client);
  }
  for (const address of [...all.keys()].slice(0, Math.max(all.size - MOST, 0))) all.delete(address);
  seen.set(store, all);
}

/** Newest first; none where this process has not looked. */
export const clientsSeen = (store: object): SeenClient[] => [...(seen.get(store)?.values() ?? [])].reverse();
