// From what a tree holds to what it is to hold, as changes for ldapmodify. Pure.
import { type Attributes, type Change, type Entry, LOCKED } from './ldif.ts';
import type { WantedEntry } from './wanted.ts';

/** A hash of argon2id, for the mark that the entry is to have; undefined: that password is not kept any more. */
export type HashOf = (dn: string, mark: string) => string | undefined;

export const MARK = 'groundcrewPasswordMark';
/** draft-behera-ldap-password-policy, 5.3.3: locked until somebody unlocks it. */
const FOR_GOOD = '000001010000Z';
/** Made by slapd, or looked at by their own rules. */
const OWN_RULES = new Set(['entryUUID', 'userPassword', MARK, LOCKED]);

const sameValues = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length &&
  // Mostly in the order in which they were written.
  (one.every((value, at) => value === other[at]) || [...one].sort().join('\n') === [...other].sort().join('\n'));

const depth = (dn: string): number => dn.split(',').length;
const keyOf = ({ dn }: Entry): string => dn.toLowerCase();

/**
 * Of an entry that is there: its lock by itself, after all else. With another password slapd takes the lock away, so that it
 * is set after it, and ended only where it is left.
 */
function changed(wanted: WantedEntry, found: Entry, hashOf: HashOf): Change[] {
  const replace: Record<string, readonly string[]> = {};
  const look = (name: string) => {
    if (OWN_RULES.has(name)) return;
    const values = wanted.attributes[name] ?? [];
    if (!sameValues(values, found.attributes[name] ?? [])) replace[name] = values;
  };
  for (const name of Object.keys(wanted.attributes)) look(name);
  for (const name of Object.keys(found.attributes)) if (!(name in wanted.attributes)) look(name);
  const { dn } = found;
  const own = password(wanted, found.attributes, hashOf);
  const locked = 'userPassword' in own ? undefined : found.attributes[LOCKED]?.[0];
  const all = { ...replace, ...own };
  return [...(Object.keys(all).length === 0 ? [] : [{ dn, replace: all }]), ...lock(wanted, dn, locked)];
}

function password({ dn, mark = '' }: WantedEntry, found: Attributes, hashOf: HashOf): Attributes {
  if ((found[MARK]?.[0] ?? '') === mark && (mark === '') === (found.userPassword === undefined)) return {};
  if (mark === '') return { userPassword: [], [MARK]: [] };
  const hash = hashOf(dn, mark);
  if (hash !== undefined) return { userPassword: [hash], [MARK]: [mark] };
  // It is not kept any more. Another one, that is not in force, must not open anything meanwhile.
  return found.userPassword === undefined ? {} : { userPassword: [], [MARK]: [] };
}

/** A lock that slapd put there stays. */
function lock({ disabled = false }: WantedEntry, dn: string, locked: string | undefined): Change[] {
  if (disabled) return locked === FOR_GOOD ? [] : [{ dn, replace: { [LOCKED]: [FOR_GOOD] } }];
  return locked === FOR_GOOD ? [{ dn, unlock: true }] : [];
}

function added(wanted: WantedEntry, hashOf: HashOf): Change {
  const { dn, attributes, uuid } = wanted;
  const own = { ...password(wanted, {}, hashOf), ...(wanted.disabled && { [LOCKED]: [FOR_GOOD] }) };
  return { dn, add: { ...attributes, ...(uuid !== undefined && { entryUUID: [uuid] }), ...own } };
}

/** What has to go is first, from the leaves up; the last entry wanted is the last that is written. */
export function changesBetween(wanted: readonly WantedEntry[], found: readonly Entry[], hashOf: HashOf): Change[] {
  const there = new Map(found.map((entry) => [keyOf(entry), entry]));
  const kept = new Map(
    wanted.flatMap((entry): [string, Entry][] => {
      const same = there.get(keyOf(entry));
      // Another identity under the same name: everything that knew the former one must not take it for that.
      const stays = same && (entry.uuid === undefined || same.attributes.entryUUID?.[0] === entry.uuid);
      return stays ? [[keyOf(entry), same]] : [];
    }),
  );
  const gone = found.filter((entry) => !kept.has(keyOf(entry)));
  return [
    ...gone.sort((one, other) => depth(other.dn) - depth(one.dn)).map(({ dn }): Change => ({ dn, delete: true })),
    ...wanted.flatMap((entry): Change[] => {
      const same = kept.get(keyOf(entry));
      return same ? changed(entry, same, hashOf) : [added(entry, hashOf)];
    }),
  ];
}
