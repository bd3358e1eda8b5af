// What a change of network boot means to people.
import type { Entries, Impact, Risk, UnitChange } from '../unit.ts';
import { HOST_KEY, KICKSTART_KEY, LISTEN_KEY, MEDIUM_KEY, SERVICE_KEY, TFTP_KEY, UEFI_KEY } from './entries.ts';
import { FRAGMENT_FILE } from './files.ts';

const MOST = 12;
const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

type Kind = 'added' | 'changed' | 'removed';

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

type Means = (name: string, kind: Kind, value: string) => Meaning | null;

/** What a change of a setting means: prefix of its key, and what to say; null: nothing that is worth a sentence. */
const MEANINGS: readonly [prefix: string, means: Means][] = [
  [
    SERVICE_KEY,
    (_name, _kind, value) =>
      value === 'on'
        ? says('low', 'Machines in the listeners’ networks that boot over the network get the menu.')
        : says('medium', 'Network boot is switched off: no host can install itself, and open boot attempts end.'),
  ],
  [
    LISTEN_KEY,
    (name, kind, value) =>
      kind === 'added'
        ? says('low', `The boot listener answers on ${name} (${value}).`)
        : kind === 'changed'
          ? says('medium', `The boot listener answers at another address on ${name} (${value}); attempts there end.`)
          : says('medium', `The boot listener no longer answers on ${name}; attempts there end.`),
  ],
  [
    TFTP_KEY,
    (_name, kind, value) =>
      kind === 'removed'
        ? null
        : value === 'on'
          ? says('low', 'The first boot program is served over TFTP.')
          : says('medium', 'There is no TFTP: only machines that run iPXE already, or boot over HTTP, can boot.'),
  ],
  [
    UEFI_KEY,
    (_name, kind, value) =>
      kind === 'removed' || (kind === 'added' && value === 'not offered')
        ? null
        : says('low', `Firmware that boots over HTTP gets: ${value}.`),
  ],
  [
    HOST_KEY,
    (name, kind, value) =>
      kind === 'added'
        ? says('low', `${name} can install itself (${value}).`)
        : kind === 'changed'
          ? says('medium', `${name} installs otherwise (${value}); its open attempt ends.`)
          : says('medium', `${name} can no longer install itself; its open attempt ends.`),
  ],
  [
    KICKSTART_KEY,
    (name, kind, value) =>
      kind === 'changed'
        ? says('medium', `Kickstart ${name} has another text (${value}); open attempts with it end.`)
        : null,
  ],
  [
    MEDIUM_KEY,
    (name, kind, value) => (kind === 'changed' ? says('medium', `Medium ${name} has other files (${value}).`) : null),
  ],
  ['', (name, _kind, value) => says('low', `${name} becomes ${value}.`)],
];

function differences(before: Entries, after: Entries): [key: string, kind: Kind][] {
  const kept = [...after].flatMap(([key, value]): [string, Kind][] => {
    const earlier = before.get(key);
    if (earlier === value) return [];
    return [[key, earlier === undefined ? 'added' : 'changed']];
  });
  const removed = [...before.keys()].filter((key) => !after.has(key)).map((key): [string, Kind] => [key, 'removed']);
  return [...kept, ...removed];
}

function meaningsOf({ before, after }: UnitChange): Meaning[] {
  const all = differences(before ?? new Map(), after);
  // Off: everything else goes with it.
  const told = after.get(SERVICE_KEY) === 'on' ? all : all.filter(([key]) => key === SERVICE_KEY);
  return told.flatMap(([key, kind]) => {
    const [prefix, means] = MEANINGS.find(([start]) => key.startsWith(start))!;
    return means(key.slice(prefix.length), kind, after.get(key) ?? '') ?? [];
  });
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const all = meaningsOf(change);
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  const restarts = [...change.written, ...change.removed].includes(FRAGMENT_FILE);
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    // dnsmasq reads what it says to machines that boot only when it starts.
    interruption: restarts ? 'names and addresses up to 0.5 s while dnsmasq restarts' : 'none',
  };
}
