// What a change of the name service means to people.
import type { Entries, Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import { DHCP_KEY, RESERVATION_KEY } from './dhcp/entries.ts';
import { RECORD_KEY } from './entries.ts';
import { danglingAliases } from './faults.ts';
import { CONF_FILE, HOSTS_FILE } from './files.ts';

const NAMES_KEY = 'name service';

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

function named(keys: readonly string[], prefix: string): string {
  const first = keys.slice(0, NAMED).map((key) => key.slice(prefix.length));
  const more = keys.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}

/** Of what there may be thousands. */
const COUNTED = [
  { prefix: RECORD_KEY, one: 'record', many: 'records' },
  { prefix: RESERVATION_KEY, one: 'reservation', many: 'reservations' },
] as const;

const isCounted = (key: string): boolean => COUNTED.some(({ prefix }) => key.startsWith(prefix));

function countedSentences(difference: Difference): string[] {
  return COUNTED.flatMap((counted) => sentencesOf(difference, counted));
}

function sentencesOf(difference: Difference, { prefix, one, many }: (typeof COUNTED)[number]): string[] {
  return (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const keys = difference[kind].filter((key) => key.startsWith(prefix));
    if (keys.length === 0) return [];
    return [`${keys.length} ${keys.length === 1 ? `${one} is` : `${many} are`} ${kind}: ${named(keys, prefix)}.`];
  });
}

interface Meaning {
  sentence: string;
  risk: Risk;
}

const SCOPE_MEANINGS: Record<Kind, (name: string, value: string) => Meaning> = {
  added: (name, value) => ({ sentence: `Scope ${name} is served: ${value}.`, risk: 'low' }),
  changed: (name, value) => ({
    sentence: `Scope ${name} moves to ${value}: its clients get new addresses.`,
    risk: 'high',
  }),
  removed: (name) => ({
    sentence: `Scope ${name} is no longer served: its clients lose their addresses.`,
    risk: 'high',
  }),
};

/** What a change of a setting means: key prefix, and what to say for each kind of change. */
const MEANINGS: readonly [prefix: string, means: (name: string, kind: Kind, value: string) => Meaning][] = [
  [
    DHCP_KEY,
    (_name, kind) =>
      kind === 'removed'
        ? { sentence: 'DHCP is switched off: nobody gets an address or keeps one beyond its lease.', risk: 'high' }
        : { sentence: 'DHCP is switched on: clients of its scopes get addresses.', risk: 'medium' },
  ],
  [
    'scope ',
    (name, kind, value) =>
      name.includes(': ')
        ? { sentence: `Scope ${name} becomes ${value}.`, risk: 'medium' }
        : SCOPE_MEANINGS[kind](name, value),
  ],
  [
    'DHCP option ',
    (name, kind, value) => ({
      sentence: kind === 'removed' ? `DHCP option ${name} is no longer sent.` : `DHCP option ${name} is ${value}.`,
      risk: 'low',
    }),
  ],
  [
    NAMES_KEY,
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

/** Settings that come and go with a switch: saying so once is enough. Where it listens and what it serves is said too. */
function comesWith(key: string, kind: Kind, { added, changed, removed }: Difference): boolean {
  const ofDhcp = /^(?:DHCP|scope |listens on .* for DHCP$)/.test(key);
  const switches = ofDhcp ? [...added, ...removed] : [...added, ...changed];
  const own = ofDhcp ? DHCP_KEY : NAMES_KEY;
  if (key === own || !switches.includes(own)) return false;
  return kind === 'removed' || !/^(?:zone |listens |scope [^:]*$)/.test(key);
}

/** Members of a scope that comes or goes whole. */
function ofNewScope(key: string, kind: Kind): boolean {
  return kind !== 'changed' && key.startsWith('scope ') && key.includes(': ');
}

function settingMeanings(difference: Difference, after: Entries): Meaning[] {
  return (['added', 'changed', 'removed'] as const).flatMap((kind) =>
    difference[kind]
      .filter((key) => !isCounted(key) && !ofNewScope(key, kind) && !comesWith(key, kind, difference))
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

/** The halves that were in force, and whether each of them still is. */
function interruptionOf(change: UnitChange, addresses: number): string {
  const touched = new Set([...change.written, ...change.removed]);
  const halves = [
    { called: 'name service', on: (view: Entries | null) => view?.get(NAMES_KEY) === 'on' },
    { called: 'DHCP', on: (view: Entries | null) => view?.has(DHCP_KEY) === true },
  ].filter(({ on }) => on(change.before));
  const ended = halves.filter(({ on }) => !on(change.after)).map(({ called }) => called);
  const going = halves.filter(({ on }) => on(change.after)).map(({ called }) => called);
  // Measured: 0.32 s for a reload of 100,000 addresses. A restart costs some 10 ms more, plus what systemd takes.
  const reading = addresses * 3.4e-6;
  const said: string[] = [];
  if (ended.length > 0) said.push(`${ended.join(' and ')} ${ended.length > 1 ? 'end' : 'ends'}`);
  if (going.length > 0 && touched.has(CONF_FILE)) said.push(`${going.join(' and ')} up to ${tenths(0.2 + reading)}`);
  else if (going.length > 0 && touched.has(HOSTS_FILE) && addresses > NOTICEABLE) {
    said.push(`answers up to ${tenths(reading)} late`);
  }
  return said.join(', ') || 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const difference = differenceOf(change.before ?? new Map(), change.after);
  const meanings = settingMeanings(difference, change.after);
  const lost = [...difference.changed, ...difference.removed].some(isCounted);
  const level = Math.max(lost ? 1 : 0, ...meanings.map((meaning) => RISKS.indexOf(meaning.risk)));
  const settings = meanings.map((meaning) => meaning.sentence);
  const says = [...countedSentences(difference), ...danglingSentences(change.after), ...settings];
  const more = says.length - MOST + 1;
  return {
    says: more > 1 ? [...says.slice(0, MOST - 1), `${more} more settings change.`] : says,
    risk: RISKS[level] ?? 'high',
    interruption: interruptionOf(change, countAddresses(change.after)),
  };
}
