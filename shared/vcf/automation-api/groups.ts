// Roles of an organization of VCF Automation, and the groups of a directory that have some.
import * as v from 'valibot';
import { allValues } from './pages.ts';
import type { AutomationSession, EntityRef } from './session.ts';

const GROUPS = '/cloudapi/1.0.0/groups';
const short = v.pipe(v.string(), v.maxLength(512));
const ref = v.looseObject({ id: short, name: short });
const groupSchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  providerType: v.nullish(v.string(), ''),
  roleEntityRefs: v.nullish(v.array(ref), []),
});

/** As the product has it, whole: it can be written back. */
export type AutomationGroup = v.InferOutput<typeof groupSchema>;

export async function listRoles(session: AutomationSession, signal?: AbortSignal): Promise<EntityRef[]> {
  const all = await allValues(session, { path: '/cloudapi/1.0.0/roles', what: 'the roles', signal }, ref);
  return all.map(({ id, name }) => ({ id, name }));
}

/** The group of the directory with this name; null: none was imported. */
export async function importedGroup(
  session: AutomationSession,
  name: string,
  signal?: AbortSignal,
): Promise<AutomationGroup | null> {
  const all = await allValues(session, { path: GROUPS, what: 'the groups', signal }, groupSchema);
  const same = (one: AutomationGroup) => one.providerType === 'LDAP' && one.name.toLowerCase() === name.toLowerCase();
  return all.find(same) ?? null;
}

/** The name in the directory is left out: a new group is refused with it. */
export async function importGroup(
  session: AutomationSession,
  name: string,
  roles: readonly EntityRef[],
  signal?: AbortSignal,
): Promise<void> {
  const json = { name, providerType: 'LDAP', roleEntityRefs: roles };
  await session.ask(
    { method: 'POST', path: GROUPS, json, what: 'the import of a group', signal },
    v.unknown(),
    [200, 201],
  );
}

/** Needs the name in the directory, and the references that it was read with. */
export async function saveGroup(
  session: AutomationSession,
  group: AutomationGroup,
  signal?: AbortSignal,
): Promise<void> {
  const path = `${GROUPS}/${encodeURIComponent(group.id)}`;
  await session.ask(
    { method: 'PUT', path, json: group, what: 'the roles of a group', signal },
    v.unknown(),
    [200, 204],
  );
}

export async function removeGroup(session: AutomationSession, id: string, signal?: AbortSignal): Promise<void> {
  const path = `${GROUPS}/${encodeURIComponent(id)}`;
  await session.ask({ method: 'DELETE', path, what: 'the imported group', signal }, v.unknown(), [200, 204, 404]);
}
