// What was left in a tree, so that the next difference is taken against it and not against the whole tree; and whether the
// tree is still that one. Entries that somebody else wrote since then are found by their time, ones that went by the count.
import { hash } from 'node:crypto';
import type { Host } from '../../../ground/machine/host.ts';
import type { OrganizationEntries } from '../entries.ts';
import { overSocket } from './glance.ts';
import type { Entry } from './ldif.ts';
import { searchDirectory, searchNames } from './socket.ts';
import { appliedOf, type WantedEntry } from './wanted.ts';

type Shell = Pick<Host, 'exec' | 'resolve'>;

export interface Left {
  /** Of the applied entries, as the tree tells. */
  digest: string;
  /** DN in lower case → what tells one state of its entry from another. */
  forms: ReadonlyMap<string, string>;
}

/** Suffix → what was left there. In memory alone: whoever starts anew finds it by the digest that the tree tells. */
export type LeftTrees = Map<string, Left>;

/** With more names than these, reading the whole tree is no slower. */
const NAMES_MOST = 1_000;

/** Of a host: what was left in the trees there, for all who look at them in this process. */
const trees = new WeakMap<object, LeftTrees>();

export function leftTrees(host: object): LeftTrees {
  const known = trees.get(host) ?? new Map();
  trees.set(host, known);
  return known;
}

/** Of an entry that is the same object: of ten thousand, one differs from the last time. */
const forms = new WeakMap<WantedEntry, [dn: string, form: string]>();

function formOf(entry: WantedEntry): [dn: string, form: string] {
  const known = forms.get(entry) ?? [entry.dn.toLowerCase(), hash('sha256', JSON.stringify(entry), 'base64')];
  forms.set(entry, known);
  return known;
}

/** Pure. */
export const leftBy = (wanted: readonly WantedEntry[], digest: string): Left => ({
  digest,
  forms: new Map(wanted.map(formOf)),
});

/** Pure: names, in lower case, of entries that one state has and the other has not, or has otherwise. */
export function changedNames(before: Left, after: Left): Set<string> {
  const changed = new Set<string>();
  for (const [dn, form] of after.forms) if (before.forms.get(dn) !== form) changed.add(dn);
  for (const dn of before.forms.keys()) if (!after.forms.has(dn)) changed.add(dn);
  return changed;
}

/** What a tree tells of itself. */
export interface Told {
  digest: string | undefined;
  /** When that was written: entryCSN of the entry that tells it. */
  since: string | undefined;
  /** Entries, as slapd counts them; undefined where it does not tell. */
  entries: number | undefined;
}

export async function toldBy(host: Shell, { suffix }: OrganizationEntries): Promise<Told> {
  const [[applied], entries] = await Promise.all([
    searchDirectory(host, appliedOf(suffix), ['description', 'entryCSN'], 'base'),
    entriesIn(host, suffix),
  ]);
  return { digest: applied?.attributes.description?.[0], since: applied?.attributes.entryCSN?.[0], entries };
}

async function entriesIn(host: Shell, suffix: string): Promise<number | undefined> {
  const { base, scope, attributes } = DATABASES;
  return countIn(await searchDirectory(host, base, attributes, scope, '(objectClass=olmMDBDatabase)'), suffix);
}

export interface Narrow {
  /** In lower case: of entries that may be other than they are to be. */
  names: ReadonlySet<string>;
  /** Those that are there. */
  found: Entry[];
}

/**
 * What has to be looked at; null where that is not known, so that the whole tree has to be: it is none that was left here,
 * entries went from it, or too many are others.
 */
export async function narrowed(
  host: Shell,
  suffix: string,
  { digest, since, entries }: Told,
  [before, after]: readonly [before: Left | undefined, after: Left],
  attributes: readonly string[],
): Promise<Narrow | null> {
  if (!before || before.digest !== digest || since === undefined) return null;
  const names = changedNames(before, after);
  if (names.size > NAMES_MOST) return null;
  const [written, changed] = await Promise.all([
    searchDirectory(host, suffix, attributes, 'sub', `(entryCSN>=${since})`),
    searchNames(host, suffix, [...names], attributes),
  ]);
  if (entries !== counted(before, written)) return null;
  const found = new Map([...written, ...changed].map((entry) => [entry.dn.toLowerCase(), entry]));
  return { names: new Set([...names, ...found.keys()]), found: [...found.values()] };
}

/** Entries that a tree has where none went from it. */
const counted = ({ forms }: Left, written: readonly Entry[]): number =>
  forms.size + written.filter(({ dn }) => !forms.has(dn.toLowerCase())).length;

/**
 * Entries that were written since the tree was left as `before`, which is as it is to be; null as `narrowed`, and where slapd
 * can't be asked so.
 */
export async function writtenSince(
  host: Shell,
  suffix: string,
  before: Left,
  attributes: readonly string[],
): Promise<Entry[] | null> {
  try {
    return await overSocket(host, async (ask) => {
      const own = ['description', 'entryCSN'];
      const present = { attribute: 'objectClass', is: 'present' } as const;
      const [applied] = await ask({ base: appliedOf(suffix), scope: 'base', filter: present, attributes: own });
      const since = applied?.attributes.entryCSN?.[0];
      if (since === undefined || applied?.attributes.description?.[0] !== before.digest) return null;
      const filter = { attribute: 'entryCSN', is: 'at least', value: since } as const;
      const written = await ask({ base: suffix, scope: 'sub', filter, attributes });
      const count = await ask(DATABASES);
      return countIn(count, suffix) === counted(before, written) ? written : null;
    });
  } catch {
    // Whoever asked reads the whole tree, and hears what is wrong there.
    return null;
  }
}

const DATABASES = {
  base: 'cn=Databases,cn=Monitor',
  scope: 'sub',
  filter: { attribute: 'objectClass', is: 'equal', value: 'olmMDBDatabase' },
  attributes: ['namingContexts', 'olmMDBEntries'],
} as const;

function countIn(all: readonly Entry[], suffix: string): number | undefined {
  const own = all.find(({ attributes }) => attributes.namingContexts?.[0]?.toLowerCase() === suffix.toLowerCase());
  const count = own?.attributes.olmMDBEntries?.[0];
  return count === undefined ? undefined : Number(count);
}
