// What a change of the time service means to people.
import type { Entries, Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import { AGREE_KEY, NTS_KEY, NTS_WAITS, REFUSED_KEY, SERVICE_KEY, SOURCE_KEY } from './entries.ts';
import { CONF_FILE } from './files.ts';

const MOST = 12;
const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

type Kind = 'added' | 'changed' | 'removed';

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Means = (name: string, kind: Kind, value: string) => Meaning;

/** What a change of a setting means: prefix of its key, and what to say. */
const MEANINGS: readonly [prefix: string, means: Means][] = [
  [
    SERVICE_KEY,
    (_name, kind, value) =>
      value === 'on' || kind === 'added'
        ? says('low', `The time service is ${value}.`)
        : says('high', 'The time service is switched off: clients get no time any more.'),
  ],
  [
    'listens on ',
    (name, kind, value) =>
      kind === 'added'
        ? says('low', `The service listens on ${name} (${value}).`)
        : kind === 'changed'
          ? says('high', `The service listens on another address of ${name} (${value}).`)
          : says('high', `The service no longer listens on ${name}: its clients get no time.`),
  ],
  [
    REFUSED_KEY,
    (_name, kind, value) =>
      kind === 'removed'
        ? says('low', 'The service is bound to its addresses alone; no network has to be refused.')
        : says('medium', `With several addresses, clients are told apart by their networks; refused are: ${value}.`),
  ],
  ['clients', (_name, _kind, value) => says('medium', `The time is told to: ${value}.`)],
  [
    'local stratum',
    (_name, _kind, value) =>
      value === 'off'
        ? says('medium', 'While no source answers, clients are told that the time is not known.')
        : says('low', `While no source answers, clients get the appliance’s own clock at stratum ${value}.`),
  ],
  [
    NTS_KEY,
    (_name, _kind, value) =>
      value === NTS_WAITS
        ? says('medium', 'NTS is not served yet: it needs a certificate, which the certificate authority makes first.')
        : says('low', 'NTS is off.'),
  ],
  [
    SOURCE_KEY,
    (name, kind, value) =>
      kind === 'added'
        ? says('low', `Source ${name} is asked (${value}).`)
        : kind === 'changed'
          ? says('low', `Source ${name} is now asked as: ${value}.`)
          : says('medium', `Source ${name} is not asked any more.`),
  ],
  [
    AGREE_KEY,
    (_name, _kind, value) =>
      says('low', `The clock is set when ${value === '1' ? 'one source is' : `${value} sources are`} good.`),
  ],
  ['', (name, _kind, value) => says('low', `${name} becomes ${value}.`)],
];

function meaningOf(key: string, kind: Kind, value: string): Meaning {
  const [prefix, means] = MEANINGS.find(([start]) => key.startsWith(start))!;
  return means(key.slice(prefix.length), kind, value);
}

function differences(before: Entries, after: Entries): [key: string, kind: Kind][] {
  const kept = [...after].flatMap(([key, value]): [string, Kind][] => {
    const earlier = before.get(key);
    if (earlier === value) return [];
    return [[key, earlier === undefined ? 'added' : 'changed']];
  });
  const removed = [...before.keys()].filter((key) => !after.has(key)).map((key): [string, Kind] => [key, 'removed']);
  return [...kept, ...removed];
}

/** With the switch everything else of the service comes and goes; whom it answers and where is still worth saying. */
const WITH_THE_SWITCH = /^(?:clients|listens on |listening |NTS$|source)/;

function meanings(before: Entries, after: Entries): Meaning[] {
  const all = differences(before, after);
  const switched = all.some(([key]) => key === SERVICE_KEY);
  return all
    .filter(([key, kind]) => {
      if (key === AGREE_KEY && kind === 'removed') return false;
      if (!switched || key === SERVICE_KEY || key.startsWith(SOURCE_KEY)) return true;
      return kind !== 'removed' && WITH_THE_SWITCH.test(key) && after.get(key) !== 'off';
    })
    .map(([key, kind]) => meaningOf(key, kind, after.get(key) ?? ''));
}

const sourcesIn = (entries: Entries): [string, string][] => [...entries].filter(([key]) => key.startsWith(SOURCE_KEY));

/** What the saved state as a whole comes to, where an operator may not expect it. */
function consequences(before: Entries, after: Entries): Meaning[] {
  const sources = sourcesIn(after);
  const had = sourcesIn(before).length;
  const found: Meaning[] = [];
  if (had === 0 && sources.length > 0) {
    found.push(
      says('medium', 'The clock follows sources from now on; one that is off by more than a second jumps once.'),
    );
  }
  if (had > 0 && sources.length === 0) {
    found.push(says('high', 'There is no source left: the appliance keeps to its own clock, which drifts.'));
  }
  // A pool stands for several.
  const alone = sources.every(([, value]) => value.startsWith('server'));
  const needed = Number(after.get(AGREE_KEY) ?? 0);
  if (alone && sources.length > 0 && sources.length < needed) {
    found.push(
      says('high', `${needed} sources must agree, but there are only ${sources.length}: the clock is never set.`),
    );
  }
  return found;
}

/** Measured: a client sees 20 to 70 ms of silence; what systemd takes comes on top. */
function interruptionOf({ before, after, written, removed }: UnitChange): string {
  const was = before?.get(SERVICE_KEY) === 'on';
  if (!was) return 'none';
  if (after.get(SERVICE_KEY) !== 'on') return 'time service ends';
  return [...written, ...removed].includes(CONF_FILE)
    ? 'time service up to 0.5 s; clients ask again by themselves'
    : 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const before = change.before ?? new Map<string, string>();
  const all = [...consequences(before, change.after), ...meanings(before, change.after)];
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: interruptionOf(change),
  };
}
