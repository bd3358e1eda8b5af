// Users and groups as SCIM writes them (RFC 7643), and how they are read from an answer: what other servers add is left alone.
import * as v from 'valibot';
import type { WantedGroup, WantedUser } from './wanted.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
/** Extension by which vCenter 8 and VCF Identity Broker take the domain of a user. */
export const DOMAIN = 'urn:ietf:params:scim:schemas:extension:ws1b:2.0:User';

const text = v.nullish(v.string());
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(256));

export const remoteUserSchema = v.looseObject({
  id,
  externalId: text,
  userName: text,
  displayName: text,
  active: v.nullish(v.boolean()),
  name: v.nullish(v.looseObject({ givenName: text, familyName: text })),
  emails: v.nullish(v.array(v.looseObject({ value: text }))),
  [DOMAIN]: v.nullish(v.looseObject({ domain: text })),
});
export type RemoteUser = v.InferOutput<typeof remoteUserSchema>;

export const remoteGroupSchema = v.looseObject({
  id,
  externalId: text,
  displayName: text,
  members: v.nullish(v.array(v.looseObject({ value: text }))),
});
export type RemoteGroup = v.InferOutput<typeof remoteGroupSchema>;

export const userBody = ({ external_id, username, name, given_name, family_name, email, domain }: WantedUser) => ({
  schemas: [USER, ...(domain ? [DOMAIN] : [])],
  externalId: external_id,
  userName: username,
  name: { givenName: given_name, familyName: family_name, formatted: name },
  displayName: name,
  ...(email && { emails: [{ value: email, type: 'work', primary: true }] }),
  active: true,
  ...(domain && { [DOMAIN]: { domain } }),
});

/** `members`: ids at the target. */
export const groupBody = ({ external_id, name }: WantedGroup, members: readonly string[]) => ({
  schemas: [GROUP],
  externalId: external_id,
  displayName: name,
  members: members.map((value) => ({ value })),
});

/** Whether the target says otherwise than it was sent. Members that it does not show are taken as sent. */
export function isOther(remote: RemoteUser, wanted: WantedUser): boolean {
  const pairs: [string | null | undefined, string][] = [
    [remote.userName, wanted.username],
    [remote.displayName, wanted.name],
    [remote.name?.givenName, wanted.given_name],
    [remote.name?.familyName, wanted.family_name],
    [remote[DOMAIN]?.domain, wanted.domain],
    [remote.emails?.[0]?.value, wanted.email],
  ];
  return remote.active === false || pairs.some(([shown, sent]) => shown != null && shown !== sent);
}

export interface PatchOperation {
  op: 'add' | 'remove' | 'replace';
  path: string;
  value?: unknown;
}

/** Values of one operation, at most: servers bound a body. */
export const VALUES_MOST = 200;
/** Members that one patch removes, at most. */
const REMOVALS_MOST = 50;

/** Pure: the patches of a group, each of which the target takes whole or not at all. */
export function groupPatches(name: string | null, added: readonly string[], gone: readonly string[]) {
  const patches: PatchOperation[][] = [];
  if (name !== null) patches.push([{ op: 'replace', path: 'displayName', value: name }]);
  for (let at = 0; at < added.length; at += VALUES_MOST) {
    const value = added.slice(at, at + VALUES_MOST).map((each) => ({ value: each }));
    patches.push([{ op: 'add', path: 'members', value }]);
  }
  for (let at = 0; at < gone.length; at += REMOVALS_MOST)
    patches.push(
      gone.slice(at, at + REMOVALS_MOST).map((each) => ({
        op: 'remove' as const,
        path: `members[value eq ${JSON.stringify(each)}]`,
      })),
    );
  return patches;
}
