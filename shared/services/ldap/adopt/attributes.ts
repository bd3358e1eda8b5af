// From attributes of an entry, as somebody set them in slapd by hand, to members of its saved row. Nothing of a password is
// among them. Pure.
import type { Draft } from '../../../platform/units/collection.ts';
import { MARK } from '../follow/difference.ts';
import { type Attributes, type Entry, LOCKED } from '../follow/ldif.ts';
import { accountDn, groupsOf, peopleOf } from '../follow/wanted.ts';

/** Attribute → member of a user. */
const MEMBERS: Readonly<Record<string, string>> = {
  sn: 'surname',
  givenName: 'given_name',
  cn: 'display_name',
  displayName: 'display_name',
  mail: 'mail',
  telephoneNumber: 'telephone',
  employeeType: 'kind',
};
const KINDS: Readonly<Record<string, string>> = { person: 'person', serviceAccount: 'service' };
/** draft-behera-ldap-password-policy, 5.3.3. */
const FOR_GOOD = '000001010000Z';

export interface ReadBack {
  draft: Draft;
  /** Why a value can't be a member, without the value. */
  faults: string[];
  /** What is not taken over, and what becomes of it. */
  left: string[];
}

const LOST = 'it is not taken over, and the next apply takes it away';

/** Members of a user, of the attributes that differ. */
export function userMembers(entry: Entry, names: readonly string[]): ReadBack {
  const read: ReadBack & { draft: Record<string, unknown> } = { draft: {}, faults: [], left: [] };
  for (const name of names) {
    const member = MEMBERS[name];
    if (name === LOCKED) read.draft.enabled = entry.attributes[LOCKED]?.[0] !== FOR_GOOD;
    else if (name === 'userPassword' || name === MARK) leave(read, PASSWORD);
    else if (name === 'memberOf') leave(read, 'its groups were set at the user; they follow from the groups alone');
    else if (member === undefined) leave(read, `it has ${name} by hand, which is not kept here; ${LOST}`);
    else takeOver(read, name, member, entry.attributes);
  }
  return read;
}

const PASSWORD =
  'its password was set by hand; no password is taken over, and the next apply brings back the one that is saved here, if there is one';

function leave({ left }: ReadBack, clause: string): void {
  if (!left.includes(clause)) left.push(clause);
}

function takeOver(
  { draft, faults }: ReadBack & { draft: Record<string, unknown> },
  name: string,
  member: string,
  attributes: Attributes,
): void {
  const values = attributes[name] ?? [];
  const [value = ''] = values;
  if (values.length !== 1) {
    faults.push(values.length === 0 ? `It has no ${name} any more, and clients need one.` : `It has several ${name}.`);
  } else if (member === 'kind') {
    if (KINDS[value]) draft.kind = KINDS[value];
    else faults.push('Its employeeType is neither person nor serviceAccount.');
  } else if (draft[member] !== undefined && draft[member] !== value) {
    faults.push('Its cn and its displayName are not the same, and here they are one value.');
  } else draft[member] = value;
}

/** Attributes that a user of ours has; others of an entry are left. */
export const userAttributes = ({ attributes }: Entry): string[] =>
  Object.keys(attributes).filter((name) => name in MEMBERS || name === LOCKED);

export interface Members {
  users: string[];
  groups: string[];
  /** Distinguished names that are no user and no group of the organisation. */
  strange: string[];
}

/** `known`: names of groups, by name in lower case. */
export function membersIn(values: readonly string[], suffix: string, known: ReadonlyMap<string, string>): Members {
  const found: Members = { users: [], groups: [], strange: [] };
  const nobody = accountDn('nobody', suffix).toLowerCase();
  for (const value of values) {
    const dn = value.toLowerCase();
    const uid = nameIn(dn, 'uid', peopleOf(suffix));
    const group = nameIn(dn, 'cn', groupsOf(suffix));
    if (dn === nobody) continue;
    if (uid !== null) found.users.push(uid);
    else if (group !== null && known.has(group)) found.groups.push(known.get(group)!);
    else found.strange.push(value);
  }
  return found;
}

/** The name of an entry right below another one; null for any other. Names of ours have no comma. */
export function nameIn(dn: string, type: 'uid' | 'cn', parent: string): string | null {
  const [begins, ends] = [`${type}=`, `,${parent}`];
  if (!dn.toLowerCase().startsWith(begins) || !dn.toLowerCase().endsWith(ends.toLowerCase())) return null;
  const name = dn.slice(begins.length, dn.length - ends.length);
  return name.includes(',') ? null : name;
}
