// One group at the target, with its members: made, changed or removed, or refused with the reason.
import { type GroupStep, membership } from './difference.ts';
import { ScimRefusal } from './faults.ts';
import type { PushShell } from './push-shell.ts';
import { groupBody, groupPatches, type RemoteGroup, remoteGroupSchema, VALUES_MOST } from './resources.ts';
import { digestOf, type WantedGroup } from './wanted.ts';

type Shell = Pick<PushShell, 'scim' | 'book'>;

export interface UserIds {
  /** External id → id at the target, of those who are to be there. */
  there: ReadonlyMap<string, string>;
  /** Ids at the target of all users of ours, also of those who left. */
  ours: ReadonlySet<string>;
}

/** @throws Problem; ScimRefusal */
export async function pushGroup({ scim, book }: Shell, step: GroupStep, ids: UserIds): Promise<void> {
  if (step.does === 'remove') {
    await scim.remove('Groups', step.id);
    return book.note('group', step, 'removed');
  }
  const { group } = step;
  if (step.does === 'taken')
    throw new ScimRefusal(
      409,
      'uniqueness',
      `The target has a group ${group.name} already, which was not made from here and is left alone. Rename or delete it there, or tell the client of this group by another name.`,
    );
  const members = group.members.flatMap((id) => ids.there.get(id) ?? []);
  const left = group.members.length - members.length;
  const reason = left === 0 ? '' : `Members who are left out, since the target refused them: ${left}.`;
  const noted = { reason, sent_sha256: digestOf(group) };
  if (step.does === 'create') {
    await create(scim, group, members);
    return book.note('group', step, 'created', noted);
  }
  const changed = await change(scim, step.remote, group, members, ids);
  return book.note('group', step, changed ? 'updated' : 'unchanged', noted);
}

async function create(scim: Shell['scim'], group: WantedGroup, members: readonly string[]): Promise<void> {
  const id = await scim.create('Groups', groupBody(group, members.slice(0, VALUES_MOST)));
  for (const patch of groupPatches(null, members.slice(VALUES_MOST), [])) await scim.patch('Groups', id, patch);
}

/** Answers whether anything was to be done. */
async function change(
  scim: Shell['scim'],
  remote: RemoteGroup,
  group: WantedGroup,
  members: readonly string[],
  { ours }: UserIds,
): Promise<boolean> {
  // Some targets leave members out of a list.
  const { members: shown } = remote.members ? remote : await scim.get('Groups', remote.id, remoteGroupSchema);
  const { added, gone } = membership(shown ?? [], members, ours);
  const patches = groupPatches(remote.displayName === group.name ? null : group.name, added, gone);
  for (const patch of patches) await scim.patch('Groups', remote.id, patch);
  return patches.length > 0;
}
