// What a change of the firewall means to people.
import { type Difference, type Facts, factKey, sameData, type Words } from '../../platform/units/facts.ts';
import type { Impact, Risk, UnitChange } from '../../platform/units/unit.ts';
import { type FirewallFacts, firewall, type Open } from './facts.ts';
import { MANAGEMENT_UI } from './service-ports.ts';
import { familyWords, opened, portWords, toWhom, WORDS } from './words.ts';

const MOST_SENTENCES = 12;
/** Networks that a sentence names. */
const NAMED = 6;

interface Said {
  text: string;
  risk: Risk;
}

export function impact({ before, after }: UnitChange): Impact {
  const said = firewall.get(after, 'enabled')
    ? firewall.get(before, 'enabled')
      ? changes(before, after)
      : first(after)
    : [isOff(firewall.get(before, 'enabled') ? 'medium' : 'low')];
  const more = said.length - MOST_SENTENCES;
  const texts = said.map(({ text }) => text);
  const risk = (['high', 'medium'] as const).find((level) => said.some((each) => each.risk === level)) ?? 'low';
  return {
    says: more > 0 ? [...texts.slice(0, MOST_SENTENCES - 1), `And ${more + 1} more changes.`] : texts,
    risk,
    // Existing connections are accepted before any rule is matched.
    interruption: 'none',
  };
}

function first(after: Facts): Said[] {
  const open = [...firewall.all(after, 'open')].map(([, each]) => each);
  const management = open.filter(({ service }) => service === MANAGEMENT_UI).map((each) => toWhom(each));
  return [
    {
      text: `The firewall is switched on: ${count(open.length, 'port of a service stays', 'ports of services stay')} open, and everything else that reaches the appliance, such as SSH, is refused unless a rule accepts it.`,
      risk: 'medium',
    },
    { text: `The management UI stays reachable ${management.join('; ') || 'nowhere'}.`, risk: 'low' },
  ];
}

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`;

const isOff = (risk: Risk): Said => ({
  text: 'The firewall is off: nothing that reaches the appliance is refused.',
  risk,
});

type Change = Exclude<Difference<FirewallFacts>, { kind: 'open' }>;

/** Sentences on facts that existed, in their order, then on new ones. */
function changes(before: Facts | null, after: Facts): Said[] {
  const keys = [...new Set([...(before?.keys() ?? []), ...after.keys()])];
  const places = new Map(keys.map((key, at) => [key, at]));
  const others = firewall
    .differences(before, after)
    .flatMap((change): [string, Said][] =>
      change.kind === 'open' ? [] : [[factKey(change.kind, change.name), sentence(change)]],
    );
  const all = [...others, ...openChanges(before, after)];
  return all.sort(([one], [other]) => places.get(one)! - places.get(other)!).map(([, said]) => said);
}

/** A port, with the clients that it was and will be open to: one opening for each family, or one for both. */
interface Port {
  key: string;
  was: Open[];
  is: Open[];
}

/** One opening for both families that becomes one for each, or the reverse, is one change, not three. */
function openChanges(before: Facts | null, after: Facts): [string, Said][] {
  const ports = new Map<string, Port>();
  for (const [facts, side] of [
    [before, 'was'],
    [after, 'is'],
  ] as const) {
    for (const [name, open] of firewall.all(facts, 'open')) {
      const whole = open.family === null ? name : nameWithoutFamily(name);
      const port = ports.get(whole) ?? { key: `open ${name}`, was: [], is: [] };
      port[side].push(open);
      ports.set(whole, port);
    }
  }
  return [...ports.values()].flatMap(({ key, was, is }) => {
    const families = ({ length, 0: only }: Open[]) => (length === 0 ? 'none' : only!.family === null ? 'both' : 'each');
    const split = [families(was), families(is)].sort().join() === 'both,each';
    const pairs = split ? [[was, is] as const] : pairsOf(was, is);
    return pairs.flatMap(([old, next]): [string, Said][] =>
      sameData(old as never, next as never) ? [] : [[key, openSentence(old, next, split)]],
    );
  });
}

const nameWithoutFamily = (name: string): string => name.slice(0, name.lastIndexOf(' '));

/** Family by family. */
function pairsOf(was: readonly Open[], is: readonly Open[]): [Open[], Open[]][] {
  const families = [...new Set([...was, ...is].map(({ family }) => family))];
  const of = (all: readonly Open[], wanted: Open['family']) => all.filter(({ family }) => family === wanted);
  return families.map((family) => [of(was, family), of(is, family)]);
}

function openSentence(old: readonly Open[], next: readonly Open[], split: boolean): Said {
  const [one] = [...next, ...old] as [Open];
  const say = (open: Open) =>
    split && open.family !== null ? `for${familyWords(open.family)} ${toWhom(open, NAMED)}` : toWhom(open, NAMED);
  const [was, becomes] = [old, next].map((all) => all.map(say).join(', '));
  const isManagement = one.service === MANAGEMENT_UI;
  const family = split ? '' : familyWords(one.family);
  const name = isManagement ? `The management UI, ${portWords(one)}${family},` : `${opened(one)}${family}`;
  const risk = old.length === 0 ? 'low' : isManagement ? 'high' : 'medium';
  if (old.length === 0) return { text: `${name} is opened ${becomes}.`, risk };
  if (next.length === 0) return { text: `${name} is closed (it was open ${was}).`, risk };
  return { text: `${name} is open ${becomes} instead of ${was}.`, risk };
}

function sentence(change: Change): Said {
  if (change.kind === 'rule') return ruleSentence(change);
  const say = (value: Change['after']): Words | undefined =>
    value === undefined ? undefined : (WORDS[change.kind] as (name: string, value: unknown) => Words)('', value);
  const [was, becomes] = [say(change.before), say(change.after)];
  const [setting = ''] = becomes ?? was ?? [];
  return { text: `${capital(setting)}: ${was?.[1] ?? 'none'} → ${becomes?.[1] ?? 'none'}.`, risk: 'low' };
}

function ruleSentence({ name, before, after }: Extract<Change, { kind: 'rule' }>): Said {
  const refuses = [before, after].some((rule) => rule !== undefined && rule.action !== 'accept');
  const risk = refuses ? 'medium' : 'low';
  const [was, becomes] = [before, after].map((rule) => rule && WORDS.rule(name, rule)[1]);
  if (was === undefined) return { text: `Rule ${name} is added: ${becomes}.`, risk };
  if (becomes === undefined) return { text: `Rule ${name} is removed (it was ${was}).`, risk };
  return { text: `Rule ${name} is ${becomes} instead of ${was}.`, risk };
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
