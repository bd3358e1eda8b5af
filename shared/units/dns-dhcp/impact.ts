// What a change of the name service means to people.
import type { Entries, Impact, Risk, UnitChange } from '../unit.ts';
import { RECORD_KEY } from './entries.ts';
import { danglingAliases } from './faults.ts';
import { CONF_FILE, HOSTS_FILE } from './files.ts';

const NAMED = 3;
const MOST = 12;
const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

type Kind = 'added' | 'changed' | 'removed';
type Difference = Record<Kind, string[]>;

function differenceOf(before: Entries, after: Entries): Difference {
  const difference: Difference = { added: [], changed: [], removed: [] };
  for (const [key, value] of after) {
    const earlier = before.get(key);
    if (earlier === undefined) difference.added.push(key);
    else if (earlier !== value) difference.changed.push(key);
  }
  for (const key of before.keys()) if (!after.has(key)) difference.removed.push(key);
  return difference;
}

function named(keys: readonly string[]): string {
  const first = keys.slice(0, NAMED).map((key) => key.slice(RECORD_KEY.length));
  const more = keys.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}

function recordSentences(difference: Difference): string[] {
  return (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const keys = difference[kind].filter((key) => key.startsWith(RECORD_KEY));
    if (keys.length === 0) return [];
    return [`${keys.length} ${keys.length === 1 ? 'record is' : 'records are'} ${kind}: ${named(keys)}.`];
  });
}

interface Meaning {
  sentence: string;
  risk: Risk;
}

/** What a change of a setting means: key prefix, and what to say for each kind of change. */
const MEANINGS: readonly [prefix: string, means: (name: string, kind: Kind, value: string) => Meaning][] = [
  [
    'name service',
    (_name, kind, value) =>
      value === 'on' || kind === 'added'
        ? { sentence: `The name service is ${value}.`, risk: 'low' }
        : { sentence: 'The name service is switched off: nobody gets an answer any more.', risk: 'high' },
  ],
  [
    'zone ',
    (name, kind) =>
      kind === 'removed'
        ? { sentence: `Zone ${name} is no longer served: its names go to the upstream servers.`, risk: 'high' }
        : { sentence: `Zone ${name} is served: names in it without a record do not exist.`, risk: 'low' },
  ],
  [
    'listens on ',
    (name, kind, value) =>
      kind === 'added'
        ? { sentence: `The service also listens on ${name} (${value}).`, risk: 'low' }
        : kind === 'changed'
          ? { sentence: `The service listens on another address of ${name} (${value}).`, risk: 'high' }
          : { sentence: `The service no longer listens on ${name}: its clients get no answer.`, risk: 'high' },
  ],
  ['upstream servers', (_name, _kind, value) => ({ sentence: `Other names are asked of: ${value}.`, risk: 'medium' })],
  ['', (name, _kind, value) => ({ sentence: `${name} becomes ${value}.`, risk: 'low' })],
];

function meaningOf(key: string, kind: Kind, value: string): Meaning {
  const found = MEANINGS.find(([prefix]) => key.startsWith(prefix));
  const [prefix, means] = found ?? ['', () => ({ sentence: key, risk: 'low' as const })];
  return means(key.slice(prefix.length), kind, value);
}

function settingMeanings(difference: Difference, after: Entries): Meaning[] {
  // With the switch itself everything else comes and goes; saying so once is enough.
  const switched = [...difference.added, ...difference.changed].includes('name service');
  return (['added', 'changed', 'removed'] as const).flatMap((kind) =>
    difference[kind]
      .filter((key) => !key.startsWith(RECORD_KEY))
      .filter((key) => !switched || key === 'name service' || (kind !== 'removed' && /^(?:zone|listens)/.test(key)))
      .map((key) => meaningOf(key, kind, after.get(key) ?? '')),
  );
}

/** Aliases without an end in the managed records; a leased name may still stand behind one. */
function danglingSentences(after: Entries): string[] {
  const aliases: [string, string][] = [];
  const names = new Set<string>();
  for (const [key, value] of after) {
    if (!key.startsWith(RECORD_KEY)) continue;
    const end = key.lastIndexOf(' ');
    const name = key.slice(RECORD_KEY.length, end);
    names.add(name);
    if (key.endsWith(' CNAME')) aliases.push([name, value]);
  }
  const dangling = danglingAliases(names, aliases);
  const [first] = dangling;
  if (!first) return [];
  const more = dangling.length > 1 ? ` (and ${dangling.length - 1} more like it)` : '';
  return [`Alias ${first[0]} points at ${first[1]}, which has no record${more}: it is answered without an address.`];
}

function countAddresses(after: Entries): number {
  let count = 0;
  for (const key of after.keys()) if (key.endsWith(' A') || key.endsWith(' AAAA')) count += 1;
  return count;
}

/** Below this, a reload is over before a client could notice (measured: about 17 ms for 10,000 addresses). */
const NOTICEABLE = 20_000;
const tenths = (seconds: number): string => `${(Math.ceil(seconds * 10) / 10).toFixed(1)} s`;

function interruptionOf(change: UnitChange, addresses: number): string {
  const touched = new Set([...change.written, ...change.removed]);
  const on = change.after.get('name service') === 'on';
  if (!on) return change.before?.get('name service') === 'on' ? 'name service ends' : 'none';
  if (change.before?.get('name service') !== 'on') return 'none';
  // Measured: 0.32 s for a reload of 100,000 addresses. A restart costs some 10 ms more, plus what systemd takes.
  const reading = addresses * 3.4e-6;
  if (touched.has(CONF_FILE)) return `name service up to ${tenths(0.2 + reading)}`;
  if (touched.has(HOSTS_FILE) && addresses > NOTICEABLE) return `answers up to ${tenths(reading)} late`;
  return 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const difference = differenceOf(change.before ?? new Map(), change.after);
  const meanings = settingMeanings(difference, change.after);
  const lostRecords = [...difference.changed, ...difference.removed].some((key) => key.startsWith(RECORD_KEY));
  const level = Math.max(lostRecords ? 1 : 0, ...meanings.map((meaning) => RISKS.indexOf(meaning.risk)));
  const settings = meanings.map((meaning) => meaning.sentence);
  const says = [...recordSentences(difference), ...danglingSentences(change.after), ...settings];
  const more = says.length - MOST + 1;
  return {
    says: more > 1 ? [...says.slice(0, MOST - 1), `${more} more settings change.`] : says,
    risk: RISKS[level] ?? 'high',
    interruption: interruptionOf(change, countAddresses(change.after)),
  };
}
