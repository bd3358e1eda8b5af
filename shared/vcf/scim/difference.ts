// What has to be done at a target, from what is wanted, what it has, and what we know to be ours. Pure.

import type { SentObject } from '../../services/oidc/scim/objects.ts';
import type { ScimTarget } from '../../services/oidc/scim/targets.ts';
import { isOther, type RemoteGroup, type RemoteUser } from './resources.ts';
import { digestOf, type Wanted, type WantedGroup, type WantedUser } from './wanted.ts';

interface About {
  external_id: string;
  /** Name that people know it by. */
  name: string;
}
export type UserStep = About &
  (
    | { does: 'create'; user: WantedUser }
    | { does: 'update'; user: WantedUser; id: string }
    | { does: 'keep'; user: WantedUser; id: string }
    | { does: 'deactivate' | 'remove'; id: string }
    | { does: 'rest' }
  );
export type GroupStep = About &
  (
    | { does: 'create'; group: WantedGroup }
    | { does: 'taken'; group: WantedGroup }
    | { does: 'update'; group: WantedGroup; remote: RemoteGroup }
    | { does: 'remove'; id: string }
  );

export type Known = ReadonlyMap<string, SentObject>;

/** Ours are those whose externalId is one of ours; where the target has two of them, the first one counts. */
function oursOf<R extends { externalId?: string | null | undefined }>(
  remote: readonly R[],
  ids: ReadonlySet<string>,
): Map<string, R> {
  const ours = new Map<string, R>();
  for (const each of remote) {
    const id = each.externalId ?? '';
    if (ids.has(id) && !ours.has(id)) ours.set(id, each);
  }
  return ours;
}

/** Who left goes first, so that the name is free for whoever has it now. */
export function userSteps(
  { users }: Pick<Wanted, 'users'>,
  remote: readonly RemoteUser[],
  known: Known,
  departed: ScimTarget['departed'],
): UserStep[] {
  const wanted = new Set(users.map(({ external_id }) => external_id));
  const ours = oursOf(remote, new Set([...wanted, ...known.keys()]));
  const left = [...ours].filter(([id]) => !wanted.has(id));
  const leaving = left.map(([external_id, { id, userName, active }]): UserStep => {
    const about = { external_id, name: known.get(external_id)?.name ?? userName ?? external_id };
    if (departed === 'remove') return { ...about, does: 'remove', id };
    return active === false ? { ...about, does: 'rest' } : { ...about, does: 'deactivate', id };
  });
  const staying = users.map((user): UserStep => {
    const about = { external_id: user.external_id, name: user.username };
    const there = ours.get(user.external_id);
    if (!there) return { ...about, does: 'create', user };
    const same = known.get(user.external_id)?.sent_sha256 === digestOf(user) && !isOther(there, user);
    return { ...about, does: same ? 'keep' : 'update', user, id: there.id };
  });
  // What frees a name goes before what takes one.
  return [
    ...leaving,
    ...staying.filter(({ does }) => does !== 'create'),
    ...staying.filter(({ does }) => does === 'create'),
  ];
}

/** Groups that leave go first. A foreign group of the same name is left alone, and ours is not made beside it. */
export function groupSteps(
  { groups }: Pick<Wanted, 'groups'>,
  remote: readonly RemoteGroup[],
  known: Known,
): GroupStep[] {
  const wanted = new Set(groups.map(({ external_id }) => external_id));
  const ours = oursOf(remote, new Set([...wanted, ...known.keys()]));
  const mine = new Set([...ours.values()].map(({ id }) => id));
  const foreign = new Set(
    remote.filter(({ id }) => !mine.has(id)).map(({ displayName }) => displayName?.toLowerCase()),
  );
  const leaving = [...ours]
    .filter(([id]) => !wanted.has(id))
    .map(([external_id, { id, displayName }]): GroupStep => {
      return { external_id, name: displayName ?? external_id, does: 'remove', id };
    });
  const staying = groups.map((group): GroupStep => {
    const about = { external_id: group.external_id, name: group.name, group };
    const there = ours.get(group.external_id);
    if (there) return { ...about, does: 'update', remote: there };
    return foreign.has(group.name.toLowerCase()) ? { ...about, does: 'taken' } : { ...about, does: 'create' };
  });
  return [...leaving, ...staying];
}

export interface Membership {
  /** Ids at the target. */
  added: string[];
  gone: string[];
}

/** `ours`: ids at the target of all users of ours. Foreign members stay: who put them there keeps them. */
export function membership(
  remote: readonly { value?: string | null | undefined }[],
  wanted: readonly string[],
  ours: ReadonlySet<string>,
): Membership {
  const there = new Set(remote.map(({ value }) => value ?? ''));
  const next = new Set(wanted);
  return {
    added: wanted.filter((id) => !there.has(id)),
    gone: [...there].filter((id) => ours.has(id) && !next.has(id)),
  };
}
