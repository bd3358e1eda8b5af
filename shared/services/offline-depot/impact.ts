// What a change of the offline depot means to people.
import type { Entries, Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import { ACCESS_KEY, AUTHORITY_KEY, LISTEN_KEY, NAME_KEY, NOBODY, OPEN_ACCESS, SERVICE_KEY } from './entries.ts';

const MOST = 12;
const RISKS: readonly Risk[] = ['low', 'medium', 'high'];

interface Meaning {
  sentence: string;
  risk: Risk;
}

interface Change {
  name: string;
  kind: 'added' | 'changed' | 'removed';
  value: string;
}

const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

/** What a change of a setting means: prefix of its key, and what to say; null: nothing that is worth a sentence. */
const MEANINGS: readonly [prefix: string, means: (change: Change) => Meaning | null][] = [
  [
    SERVICE_KEY,
    ({ value }) =>
      value === 'on'
        ? says('low', 'The offline depot answers over HTTPS.')
        : says('high', 'The offline depot is switched off: appliances that take their software from here get none.'),
  ],
  [
    LISTEN_KEY,
    ({ name, kind, value }) =>
      kind === 'added'
        ? says('low', `It answers on ${name} (${value}).`)
        : kind === 'changed'
          ? says('high', `It answers elsewhere on ${name} (${value}): appliances that know the old place lose it.`)
          : says('high', `It no longer answers on ${name}: appliances that reach it there lose it.`),
  ],
  [
    NAME_KEY,
    ({ kind, value }) =>
      kind === 'added'
        ? says('low', `Its certificate names ${value === 'none' ? 'its addresses alone' : value}.`)
        : says('high', `Its certificate names ${value} from now on: appliances that know another name refuse it.`),
  ],
  [
    ACCESS_KEY,
    ({ kind, value }) => {
      if (value === OPEN_ACCESS) return says('high', 'Everybody who reaches it can read all of it, without a login.');
      if (value === NOBODY) return says('medium', 'No depot user is chosen: all that takes a login is closed.');
      return kind === 'added'
        ? says('low', `It lets ${value} in.`)
        : says('medium', `It lets ${value} in, and nobody else: appliances that log in otherwise are refused.`);
    },
  ],
  [
    AUTHORITY_KEY,
    ({ kind }) =>
      kind === 'changed'
        ? says('high', 'Its certificate is issued by another root, which appliances have to trust first.')
        : null,
  ],
];

function changesIn(before: Entries, after: Entries): [key: string, change: Omit<Change, 'name'>][] {
  const kept = [...after].flatMap(([key, value]): [string, Omit<Change, 'name'>][] => {
    const earlier = before.get(key);
    return earlier === value ? [] : [[key, { kind: earlier === undefined ? 'added' : 'changed', value }]];
  });
  // With the switch everything else goes, which is one sentence.
  if (after.get(SERVICE_KEY) !== 'on') return kept;
  const removed = [...before.keys()].filter((key) => !after.has(key));
  return [...kept, ...removed.map((key): [string, Omit<Change, 'name'>] => [key, { kind: 'removed', value: '' }])];
}

/** Pure: what the change means, in words, before it is made. */
export function impact({ before, after }: UnitChange): Impact {
  const earlier = before ?? new Map<string, string>();
  const all = changesIn(earlier, after).flatMap(([key, change]) => {
    const [prefix, means] = MEANINGS.find(([start]) => key.startsWith(start))!;
    return means({ ...change, name: key.slice(prefix.length) }) ?? [];
  });
  const sentences = all.map(({ sentence }) => sentence);
  const more = sentences.length - MOST + 1;
  const moved = [...earlier].some(([key, value]) => key.startsWith(LISTEN_KEY) && after.get(key) !== value);
  return {
    says: more > 1 ? [...sentences.slice(0, MOST - 1), `${more} more settings change.`] : sentences,
    risk: RISKS[Math.max(0, ...all.map(({ risk }) => RISKS.indexOf(risk)))] ?? 'high',
    interruption: moved ? 'downloads at an address that is given up end' : 'none',
  };
}
