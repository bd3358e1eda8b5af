// LDIF (RFC 2849): what ldapsearch prints, and what ldapmodify reads. Every value is written in base64, so that none can
// begin a line of its own. Pure.
import { setImmediate as othersTurn } from 'node:timers/promises';

export type Attributes = Readonly<Record<string, readonly string[]>>;
export interface Entry {
  dn: string;
  attributes: Attributes;
}

export type Change =
  | { dn: string; add: Attributes }
  | { dn: string; delete: true }
  /** Attribute → its values from now on; none: it goes, whether or not it is there. */
  | { dn: string; replace: Attributes }
  /** Ends a lock that is there, and with it what slapd counted: it forgets wrong passwords for a deletion alone. */
  | { dn: string; unlock: true }
  /** Another hash for the password of this mark; refused where the entry has another mark. */
  | { dn: string; password: { mark: string; hash: string } };

/** draft-behera-ldap-password-policy, 5.3.3. */
export const LOCKED = 'pwdAccountLockedTime';

const encoded = (name: string, value: string): string => `${name}:: ${Buffer.from(value, 'utf8').toString('base64')}`;
const values = (attributes: Attributes): string[] =>
  Object.entries(attributes).flatMap(([name, each]) => each.map((value) => encoded(name, value)));

/** The mark, taken away and put back, is what the change depends on (RFC 4511, 4.6). No reset waits to be answered any more. */
const password = ({ mark, hash }: { mark: string; hash: string }): string[] => [
  ...['delete: groundcrewPasswordMark', encoded('groundcrewPasswordMark', mark), '-'],
  ...['add: groundcrewPasswordMark', encoded('groundcrewPasswordMark', mark), '-'],
  ...['replace: userPassword', encoded('userPassword', hash), '-', 'replace: pwdReset', '-'],
];

function record(change: Change): string[] {
  const dn = encoded('dn', change.dn);
  if ('delete' in change) return [dn, 'changetype: delete'];
  if ('add' in change) return [dn, 'changetype: add', ...values(change.add)];
  if ('unlock' in change) return [dn, 'changetype: modify', `delete: ${LOCKED}`, '-'];
  if ('password' in change) return [dn, 'changetype: modify', ...password(change.password)];
  const lines = Object.entries(change.replace).flatMap(([name, each]) => [
    `replace: ${name}`,
    ...each.map((value) => encoded(name, value)),
    '-',
  ]);
  return [dn, 'changetype: modify', ...lines];
}

export const writeChanges = (changes: readonly Change[]): string =>
  changes.map((change) => `${record(change).join('\n')}\n\n`).join('');

const NAME = /^[A-Za-z][A-Za-z0-9;.-]*$/;
/** Names that were looked at: a tree has few, and ten thousand times. */
const names = new Set<string>();
const NAMES_MOST = 500;

function isName(name: string): boolean {
  if (names.has(name)) return true;
  if (!NAME.test(name)) return false;
  if (names.size < NAMES_MOST) names.add(name);
  return true;
}

function entryOf(block: string): Entry[] {
  const attributes: Record<string, string[]> = {};
  let dn: string | null = null;
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!isName(name)) continue;
    const twice = line[colon + 1] === ':';
    const from = colon + (twice ? 2 : 1);
    const raw = line.slice(line[from] === ' ' ? from + 1 : from);
    const value = twice ? Buffer.from(raw, 'base64').toString('utf8') : raw;
    if (name === 'dn') dn = value;
    else if (attributes[name]) attributes[name].push(value);
    else attributes[name] = [value];
  }
  return dn === null ? [] : [{ dn, attributes }];
}

/** Entries of a whole tree are read in pieces, so that nothing else waits for them. */
const AT_ONCE = 500;

/** Entries of `ldapsearch -LLL`, in its order. Long lines may be folded. */
export async function parseEntriesOf(text: string): Promise<Entry[]> {
  const blocks = text.replace(/\n /g, '').split(/\n{2,}/);
  const found: Entry[] = [];
  for (let from = 0; from < blocks.length; from += AT_ONCE) {
    if (from > 0) await othersTurn();
    found.push(...blocks.slice(from, from + AT_ONCE).flatMap(entryOf));
  }
  return found;
}
