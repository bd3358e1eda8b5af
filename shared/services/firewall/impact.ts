// What a change of the firewall means to people.
import type { Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import { OPEN, RULE } from './entries.ts';

const MOST_SENTENCES = 12;
const MANAGEMENT = `${OPEN}Management UI`;

interface Said {
  text: string;
  risk: Risk;
}

export function impact({ before, after }: UnitChange): Impact {
  const said = SAYINGS[before?.get('firewall') === 'on' ? 'on' : 'off'](before, after);
  const more = said.length - MOST_SENTENCES;
  const texts = said.map(({ text }) => text);
  const risk = (['high', 'medium'] as const).find((level) => said.some((each) => each.risk === level)) ?? 'low';
  return {
    says: more > 0 ? [...texts.slice(0, MOST_SENTENCES - 1), `And ${more + 1} more changes.`] : texts,
    risk,
    // Connections that exist pass before any rule is asked.
    interruption: 'none',
  };
}

type Flat = ReadonlyMap<string, string>;

function first(after: Flat): Said[] {
  const open = [...after.keys()].filter((key) => key.startsWith(OPEN));
  const management = open.filter((key) => key.startsWith(MANAGEMENT)).map((key) => after.get(key));
  return [
    {
      text: `The firewall is switched on: ${count(open.length, 'port of a service stays', 'ports of services stay')} open, and everything else that reaches the appliance, such as SSH, is refused unless a rule accepts it.`,
      risk: 'medium',
    },
    { text: `The management UI stays reachable ${management.join('; ') || 'nowhere'}.`, risk: 'low' },
  ];
}

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

/** By whether it was on before. */
const SAYINGS = {
  on: (before: Flat | null, after: Flat) =>
    after.get('firewall') === 'on' ? changes(before, after) : [isOff('medium')],
  off: (_before: Flat | null, after: Flat) => (after.get('firewall') === 'on' ? first(after) : [isOff('low')]),
};

const isOff = (risk: Risk): Said => ({
  text: 'The firewall is off: nothing that reaches the appliance is refused.',
  risk,
});

function changes(before: Flat | null, after: Flat): Said[] {
  const split = splitBetween(before ?? new Map(), after);
  const [was, is] = [joined(before ?? new Map(), split), joined(after, split)];
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  return keys.flatMap((key) => {
    const [old, next] = [was.get(key), is.get(key)];
    return old === next ? [] : [sentence(key, old, next)];
  });
}

const FAMILY = / (IPv[46])$/;
const wholeOf = (key: string): string => key.replace(FAMILY, '');

/** Ports that were open to both families at once and now are to each, or the other way round: one change, not three. */
function splitBetween(was: Flat, is: Flat): ReadonlySet<string> {
  const parts = (one: Flat, other: Flat): string[] =>
    [...one.keys()].filter((key) => key.startsWith(OPEN) && FAMILY.test(key) && other.has(wholeOf(key))).map(wholeOf);
  return new Set([...parts(was, is), ...parts(is, was)]);
}

function joined(view: Flat, split: ReadonlySet<string>): Flat {
  const all = new Map<string, string>();
  for (const [key, words] of view) {
    const whole = wholeOf(key);
    const family = FAMILY.exec(key)?.[1];
    const said = split.has(whole) && family !== undefined ? `for ${family} ${words}` : words;
    const under = split.has(whole) ? whole : key;
    const earlier = all.get(under);
    all.set(under, earlier === undefined ? said : `${earlier}, ${said}`);
  }
  return all;
}

/** Networks that a sentence names. */
const NAMED = 6;

/** `on lab0 from 10.0.0.0/24, … and 12 more networks` */
const short = (words: string): string =>
  words.replace(/(?<= from )[^\s,]*[.:][^\s,]*(?:, [^\s,]*[.:][^\s,]*)*/g, (list) => {
    const networks = list.split(', ');
    const more = networks.length - NAMED;
    return more > 1 ? `${networks.slice(0, NAMED).join(', ')} and ${more} more networks` : list;
  });

function sentence(key: string, was: string | undefined, becomes: string | undefined): Said {
  const kind = KINDS.find(({ prefix }) => key.startsWith(prefix));
  if (kind) return kind.says(key.slice(kind.prefix.length), was, becomes);
  return { text: `${capital(key)}: ${was ?? 'none'} → ${becomes ?? 'none'}.`, risk: 'low' };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Says = (name: string, was: string | undefined, becomes: string | undefined) => Said;

const opened: Says = (name, old, next) => {
  const [was, becomes] = [old, next].map((words) => words && short(words));
  if (was === undefined) return { text: `${name} is opened ${becomes}.`, risk: 'low' };
  if (becomes === undefined) return { text: `${name} is closed (it was open ${was}).`, risk: 'medium' };
  return { text: `${name} is open ${becomes} instead of ${was}.`, risk: 'medium' };
};

/** The management UI comes before other openings, whose prefix it shares. */
const KINDS: readonly { prefix: string; says: Says }[] = [
  {
    prefix: MANAGEMENT,
    says: (name, was, becomes) => {
      const { text } = opened(`The management UI,${name},`, was, becomes);
      return { text, risk: was === undefined ? 'low' : 'high' };
    },
  },
  { prefix: OPEN, says: opened },
  {
    prefix: RULE,
    says: (name, was, becomes) => {
      const refuses = [was, becomes].some((words) => words !== undefined && !/^\d+\. accept/.test(words));
      const risk = refuses ? 'medium' : 'low';
      if (was === undefined) return { text: `Rule ${name} is added: ${becomes}.`, risk };
      if (becomes === undefined) return { text: `Rule ${name} is removed (it was ${was}).`, risk };
      return { text: `Rule ${name} is ${becomes} instead of ${was}.`, risk };
    },
  },
];
