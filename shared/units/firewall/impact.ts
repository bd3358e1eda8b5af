// What a change of the firewall means to people.
import type { Impact, Risk, UnitChange } from '../unit.ts';
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
  const was = before ?? new Map<string, string>();
  const keys = [...new Set([...was.keys(), ...after.keys()])];
  return keys.flatMap((key) => {
    const [old, next] = [was.get(key), after.get(key)];
    return old === next ? [] : [sentence(key, old, next)];
  });
}

function sentence(key: string, was: string | undefined, becomes: string | undefined): Said {
  const kind = KINDS.find(({ prefix }) => key.startsWith(prefix));
  if (kind) return kind.says(key.slice(kind.prefix.length), was, becomes);
  return { text: `${capital(key)}: ${was ?? 'none'} → ${becomes ?? 'none'}.`, risk: 'low' };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Says = (name: string, was: string | undefined, becomes: string | undefined) => Said;

const opened: Says = (name, was, becomes) => {
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
