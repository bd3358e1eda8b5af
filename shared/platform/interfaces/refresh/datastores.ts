// Storage datastores: each is shared on exactly one interface, in its own address families.
import { pagePath } from '../../../ground/page-paths.ts';
import type { Blocker } from '../../../ground/problems.ts';
import { type Change, familyOf } from './change.ts';
import { leftNetworks } from './listeners.ts';
import type { DatastoreRow, Move } from './snapshot.ts';
import { carriesService, goneSentences, type Standing, standingIn } from './standing.ts';

export interface FollowedDatastore {
  /** The datastore itself when nothing changes for it. */
  datastore: DatastoreRow;
  moves: Move[];
  notes: string[];
  blocker: Blocker | null;
}

/** The addresses at which a datastore of these families can be mounted. */
export function mountAddresses(
  { address_families }: Pick<DatastoreRow, 'address_families'>,
  standing: Standing,
): string[] {
  return standing.addresses.filter((address) => address_families.includes(familyOf(address)));
}

/** Families that the datastore needs and the interface lacks; all of them where it carries nothing. */
export function missingFamilies({ address_families }: Pick<DatastoreRow, 'address_families'>, standing: Standing) {
  return address_families.filter((family) => !carriesService(standing) || !standing.families.has(family));
}

export function followDatastore(datastore: DatastoreRow, change: Change): FollowedDatastore {
  const nothing = { datastore, moves: [], notes: [], blocker: null };
  if (!change.affected.has(datastore.interface)) return nothing;
  const [before, after] = [change.before, change.after].map((all) => standingIn(all, datastore.interface));
  const had = missingFamilies(datastore, before!);
  const removed = change.removed.has(datastore.interface);
  const lost = missingFamilies(datastore, after!).filter((family) => removed || !had.includes(family));
  if (datastore.enabled && lost.length > 0) return { ...nothing, blocker: refusal(datastore, lost, change, after!) };
  const next = {
    ...datastore,
    interface: removed ? '' : datastore.interface,
    addresses: mountAddresses(datastore, after!),
  };
  const notes = leftNetworks(change)
    .filter((network) => datastore.enabled && datastore.clients.includes(network))
    .map(
      (network) =>
        `Datastore ${datastore.name} names ${network} among its clients, the network that moves; review the list.`,
    );
  if (JSON.stringify(next) === JSON.stringify(datastore)) return { ...nothing, notes };
  return { datastore: next, moves: movesBetween(datastore, next), notes, blocker: null };
}

const wordsOf = ({ id, name }: DatastoreRow) => ({
  subject: `Datastore ${name}`,
  page: pagePath('datastore', id),
});

function refusal(datastore: DatastoreRow, lost: readonly string[], { before }: Change, after: Standing): Blocker {
  const families = lost.map((family) => (family === 'ipv4' ? 'IPv4' : 'IPv6')).join(' and ');
  const reason = carriesService(after)
    ? `It is shared over ${families} on ${datastore.interface}.`
    : `It is shared on ${datastore.interface}, which could not carry it any more.`;
  const gone = goneSentences([datastore.interface], before);
  return {
    ...wordsOf(datastore),
    reason: `${reason}${gone}`,
    unblock: 'Move the datastore to another interface, or disable it.',
  };
}

function movesBetween(before: DatastoreRow, after: DatastoreRow): Move[] {
  const words = { ...wordsOf(before), unit: 'storage' as const };
  const move = (property: string, from: string, to: string): Move[] =>
    from === to ? [] : [{ ...words, property, from, to }];
  return [
    ...move('addresses', before.addresses.join(', '), after.addresses.join(', ')),
    ...move('interface', before.interface, after.interface),
  ];
}
