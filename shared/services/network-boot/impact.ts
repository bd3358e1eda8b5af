// What a change of network boot means to people.
import type { Entries, Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import {
  HOST_KEY,
  KICKSTART_KEY,
  LISTEN_KEY,
  MEDIUM_KEY,
  SCOPE_KEY,
  SERVICE_KEY,
  TFTP_KEY,
  UEFI_KEY,
  VAULT_VALUES,
} from './entries.ts';
import { FRAGMENT_FILE } from './files.ts';

const MOST = 12;
const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

type Kind = 'added' | 'changed' | 'removed';

interface Meaning {
  sentence: string;
  risk: Risk;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

interface Change {
  name: string;
  kind: Kind;
  /** Empty where there is none. */
  before: string;
  value: string;
}

type Means = (change: Change) => Meaning | null;

/** The words of a host's entry begin with its MAC address; see entries.ts. */
const macOf = (words: string): string => words.split(', ')[0]!;
/** Without either it is known and gets a menu, but has nothing to install. */
const installs = (words: string): boolean =>
  words !== '' && !words.split(', ').some((part) => part === 'no Kickstart' || part === 'no medium');

function meansOfHost({ name, kind, before, value }: Change): Meaning {
  if (kind === 'removed') {
    return installs(before)
      ? says('medium', `${name} can no longer install itself; its open attempt ends.`)
      : says('low', `${name} is no longer known.`);
  }
  if (installs(before)) {
    const can = installs(value) ? 'installs otherwise' : 'can no longer install itself';
    return says('medium', `${name} ${can} (${value}); its open attempt ends.`);
  }
  return installs(value)
    ? says('low', `${name} can install itself (${value}).`)
    : says('low', `${name} is known, but has nothing to install (${value}).`);
}

function meansOfRename(former: string, { name, before, value }: Change): Meaning {
  const renamed = `${former} is renamed to ${name} (${value})`;
  return installs(before) ? says('medium', `${renamed}; its open attempt ends.`) : says('low', `${renamed}.`);
}

/** What a change of a setting means: prefix of its key, and what to say; null: nothing that is worth a sentence. */
const MEANINGS: readonly [prefix: string, means: Means][] = [
  [
    SERVICE_KEY,
    ({ value }) =>
      value === 'on'
        ? says('low', 'Machines that boot over the network get the menu wherever this appliance’s DHCP serves them.')
        : says('medium', 'Network boot is switched off: no host can install itself, and open boot attempts end.'),
  ],
  [
    LISTEN_KEY,
    ({ name, kind, value }) =>
      kind === 'added'
        ? says('low', `The boot listener answers on ${name} (${value}).`)
        : kind === 'changed'
          ? says('medium', `The boot listener answers at another address on ${name} (${value}); attempts there end.`)
          : says('medium', `The boot listener no longer answers on ${name}; attempts there end.`),
  ],
  [
    TFTP_KEY,
    ({ kind, value }) =>
      kind === 'removed'
        ? null
        : value === 'on'
          ? says('low', 'The first boot program is served over TFTP.')
          : says('medium', 'There is no TFTP: only machines that run iPXE already, or boot over HTTP, can boot.'),
  ],
  [
    UEFI_KEY,
    ({ kind, value }) =>
      kind === 'removed' || (kind === 'added' && value === 'not offered')
        ? null
        : says('low', `Firmware that boots over HTTP gets: ${value}.`),
  ],
  [
    SCOPE_KEY,
    ({ name, kind, value }) => (kind === 'removed' ? null : says('low', `Machines of the scope ${name} ${value}.`)),
  ],
  [HOST_KEY, meansOfHost],
  [
    KICKSTART_KEY,
    ({ name, kind, value }) => {
      if (kind === 'changed') {
        return says('medium', `Kickstart ${name} has another text (${value}); open attempts with it end.`);
      }
      return kind === 'added' && value.includes(VAULT_VALUES)
        ? says('low', `Kickstart ${name} takes ${value.slice(value.indexOf(VAULT_VALUES))}.`)
        : null;
    },
  ],
  [
    MEDIUM_KEY,
    ({ name, kind, value }) =>
      kind === 'changed' ? says('medium', `Medium ${name} has other files (${value}).`) : null,
  ],
  ['', ({ name, value }) => says('low', `${name} becomes ${value}.`)],
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

/** Host that comes → the one that goes and has the same MAC address: it is the same machine under another name. */
function renames(all: readonly (readonly [key: string, kind: Kind])[], before: Entries, after: Entries) {
  const hosts = (wanted: Kind) =>
    all.flatMap(([key, kind]) => (kind === wanted && key.startsWith(HOST_KEY) ? key : []));
  const gone = new Map(hosts('removed').map((key) => [macOf(before.get(key)!), key]));
  return new Map(
    hosts('added').flatMap((key) => {
      const former = gone.get(macOf(after.get(key)!));
      return former === undefined ? [] : [[key, former] as const];
    }),
  );
}

function meaningsOf({ before: known, after }: UnitChange): Meaning[] {
  const before = known ?? new Map<string, string>();
  const all = differences(before, after);
  // Off: everything else goes with it.
  const told = after.get(SERVICE_KEY) === 'on' ? all : all.filter(([key]) => key === SERVICE_KEY);
  const renamed = renames(told, before, after);
  const former = new Set(renamed.values());
  return told.flatMap(([key, kind]) => {
    if (former.has(key)) return [];
    const [prefix, means] = MEANINGS.find(([start]) => key.startsWith(start))!;
    const was = renamed.get(key) ?? key;
    const change = { name: key.slice(prefix.length), kind, before: before.get(was) ?? '', value: after.get(key) ?? '' };
    return was === key ? (means(change) ?? []) : meansOfRename(was.slice(prefix.length), change);
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
