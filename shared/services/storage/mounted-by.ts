// Who has which datastore mounted, as far as a server can know: over NFS 3 by what was mounted at some time, over 4.1 by who may,
// and is connected at its address. And whom a change would cut off. Pure.
import type { UnitChange } from '../../platform/units/unit.ts';
import { actionFor } from './cheapest.ts';
import { beginsToCount, replacesDisk, type StorageFacts, sameExport, storage } from './facts.ts';
import { isClient } from './probe.ts';
import type { Known, Sightings } from './server-sightings.ts';

type Datastore = StorageFacts['datastore'];

export interface MountingHost {
  address: string;
  /** Null: the server does not say. */
  version: '3' | '4.1' | null;
  /** What it says that it is; empty: nothing. */
  program: string;
  /** Since it renewed its lease; null: there is none in NFS 3, or the server does not say. */
  renewed_seconds: number | null;
  /** Null: there is none in NFS 3, or the server does not say. */
  open_files: number | null;
  /** Addresses of the server that it is connected to now. */
  connected_to: string[];
  /** Names of those that it has mounted, or may have: over NFS 4.1 nobody says which. */
  datastores: string[];
}

/** Seconds after which a client that did not renew is not counted as there. */
const GONE_SECONDS = 300;

interface Seen {
  address: string;
  version: MountingHost['version'];
  known: Known | null;
  /** Paths that it mounted over NFS 3. */
  paths: string[];
}

function seenHosts({ connections, known, mounts }: Sightings, own: ReadonlySet<string>): Seen[] {
  const found: Seen[] = [];
  for (const each of known ?? []) found.push({ address: each.address, version: '4.1', known: each, paths: [] });
  for (const address of new Set(mounts.map((mount) => mount.address))) {
    const paths = mounts.filter((mount) => mount.address === address).map(({ path }) => path);
    found.push({ address, version: '3', known: null, paths });
  }
  for (const { from } of connections) {
    if (found.some(({ address }) => address === from)) continue;
    found.push({ address: from, version: null, known: null, paths: [] });
  }
  // The appliance asks itself, as a host would.
  return found.filter(({ address }) => !own.has(address));
}

function mayHave(datastore: Datastore, { address, version, paths }: Seen, connected_to: readonly string[]): boolean {
  if (version !== null && version !== datastore.version) return false;
  if (version === '3') return paths.includes(datastore.at);
  if (!isClient(address, datastore.clients)) return false;
  const reached = connected_to.some((at) => datastore.addresses.includes(at));
  return reached || (version === '4.1' && connected_to.length === 0);
}

/** By address. `datastores`: those in force, by name. */
export function mountingHosts(datastores: readonly [string, Datastore][], sightings: Sightings): MountingHost[] {
  const own = new Set(datastores.flatMap(([, { addresses }]) => addresses));
  return seenHosts(sightings, own)
    .map((seen): MountingHost => {
      const { address, version, known } = seen;
      const connected_to = sightings.connections.filter(({ from }) => from === address).map(({ at }) => at);
      const may = datastores.filter(([, datastore]) => mayHave(datastore, seen, connected_to));
      return {
        address,
        version,
        program: known?.program ?? '',
        renewed_seconds: known?.renewed_seconds ?? null,
        open_files: known?.open_files ?? null,
        connected_to,
        datastores: may.map(([name]) => name),
      };
    })
    .sort((one, other) => (one.address < other.address ? -1 : 1));
}

/** Whether it is there now: what NFS 3 was mounted by at some time alone is not. */
const isThere = ({ connected_to, renewed_seconds }: MountingHost): boolean =>
  connected_to.length > 0 || (renewed_seconds !== null && renewed_seconds <= GONE_SECONDS);

/** Why a host loses a datastore; null: it keeps it. */
function lossOf(host: MountingHost, before: Datastore, after: Datastore | undefined): string | null {
  if (!after) return 'is not exported any more';
  if (!sameExport(before, after)) return 'becomes another export';
  const { connected_to, address } = host;
  const at = connected_to.filter((each) => before.addresses.includes(each));
  const gone = (at.length > 0 ? at : before.addresses).filter((each) => !after.addresses.includes(each));
  if (gone.length > 0) return `does not answer at ${gone.join(', ')} any more`;
  return isClient(address, after.clients) ? null : 'is not for them any more';
}

const HOSTS_MOST = 8;
export type Names = ReadonlyMap<string, string>;

function hostWords(hosts: readonly MountingHost[], names: Names): string {
  const words = hosts.slice(0, HOSTS_MOST).map(({ address, version }) => {
    const told = [names.get(address), version && `NFS ${version}`].filter(Boolean).join(', ');
    return told === '' ? address : `${address} (${told})`;
  });
  const more = hosts.length - words.length;
  return more > 0 ? `${words.join(', ')} and ${more} more` : words.join(', ');
}

const haveIt = (hosts: readonly MountingHost[]): string => {
  const sure = hosts.every(({ version }) => version === '3');
  const one = hosts.length === 1;
  return sure ? (one ? 'has it mounted' : 'have it mounted') : one ? 'is a client of it' : 'are clients of it';
};

/** Whom the change cuts off, or stalls, now: a sentence a datastore and loss. */
export function cutSentences(change: UnitChange, sightings: Sightings, names: Names): string[] {
  const before = [...storage.all(change.before, 'datastore')];
  const after = new Map(storage.all(change.after, 'datastore'));
  const there = mountingHosts(before, sightings).filter(isThere);
  const cut = before.flatMap(([name, datastore]) => {
    const losses = Map.groupBy(
      there.filter(({ datastores }) => datastores.includes(name)),
      (host) => lossOf(host, datastore, after.get(name)),
    );
    return [...losses].flatMap(([loss, hosts]) =>
      loss === null ? [] : [`Datastore ${name} ${loss}: ${hostWords(hosts, names)} ${haveIt(hosts)} now.`],
    );
  });
  const wanted = after.size > 0 && storage.get(change.after, 'enabled') === true;
  const stops =
    actionFor(wanted, true, change) === 'restart' ||
    replacesDisk(change.before, change.after) ||
    beginsToCount(change.before, change.after);
  const using = there.filter(({ datastores }) => datastores.length > 0);
  if (!wanted || !stops || using.length === 0) return cut;
  return [...cut, `The server restarts, which stalls whoever is connected now: ${hostWords(using, names)}.`];
}
