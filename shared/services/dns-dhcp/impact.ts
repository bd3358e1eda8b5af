// What a change of DNS and DHCP means to people.
import { type Difference, type Facts, type Way, type Words, wayOf } from '../../platform/units/facts.ts';
import { ASK_AGAIN, RESTART_TIMES, SECONDS_PER_ADDRESS } from '../../platform/units/restart-times.ts';
import { type Impact, RISKS, type Risk, type UnitChange } from '../../platform/units/unit.ts';
import { type DnsDhcpFacts, dnsDhcp } from './facts.ts';
import { danglingAliases } from './faults.ts';
import { CONF_FILE, HOSTS_FILE } from './files.ts';
import { WORDS } from './words.ts';

const NAMED = 3;
const MOST = 12;

type Kind = keyof DnsDhcpFacts;
type Change = Difference<DnsDhcpFacts>;
type ByWay = Record<Way, Change[]>;
const WAYS = ['added', 'changed', 'removed'] as const satisfies readonly Way[];

function byWay(before: Facts | null, after: Facts): ByWay {
  const found: ByWay = { added: [], changed: [], removed: [] };
  for (const change of dnsDhcp.differences(before, after)) found[wayOf(change)].push(change);
  return found;
}

function named(changes: readonly Change[]): string {
  const first = changes.slice(0, NAMED).map(({ name }) => name);
  const more = changes.length - first.length;
  return more > 0 ? `${first.join(', ')} and ${more} more` : first.join(', ');
}

/** Kinds with thousands of facts: counted, not listed. */
const COUNTED: ReadonlyMap<Kind, { one: string; many: string }> = new Map([
  ['record', { one: 'record', many: 'records' }],
  ['reservation', { one: 'reservation', many: 'reservations' }],
]);

const countedSentences = (all: ByWay): string[] =>
  [...COUNTED].flatMap(([kind, { one, many }]) =>
    WAYS.flatMap((way) => {
      const changes = all[way].filter((change) => change.kind === kind);
      if (changes.length === 0) return [];
      return [`${changes.length} ${changes.length === 1 ? `${one} is` : `${many} are`} ${way}: ${named(changes)}.`];
    }),
  );

interface Meaning {
  sentence: string;
  risk: Risk;
}
const says = (risk: Risk, sentence: string): Meaning => ({ risk, sentence });

/** The value to come in words; nothing for none. */
const nextWords = (change: Change): string =>
  change.after === undefined
    ? ''
    : (WORDS[change.kind] as (name: string, value: unknown) => Words)(change.name, change.after)[1];
/** The changed setting in words. */
const settingOf = (change: Change): string =>
  (WORDS[change.kind] as (name: string, value: unknown) => Words)(change.name, change.after ?? change.before)[0];

const listening = (change: Change, on: string): Meaning =>
  ({
    added: says('low', `The service also listens on ${on} (${nextWords(change)}).`),
    changed: says('high', `The service listens on another address of ${on} (${nextWords(change)}).`),
    removed: says('high', `The service no longer listens on ${on}: its clients get no answer.`),
  })[wayOf(change)];

/** A member of a scope. */
const ofScope = (change: Change): Meaning =>
  says('medium', `${capital(settingOf(change))} becomes ${nextWords(change)}.`);

/** What a change of a kind means. For other kinds the sentence names the new value. */
const MEANS: { [K in Kind]?: (change: Extract<Change, { kind: K }>) => Meaning } = {
  dhcp: (change) =>
    change.after
      ? says('medium', 'DHCP is switched on: clients of its scopes get addresses.')
      : says('high', 'DHCP is switched off: nobody gets an address or keeps one beyond its lease.'),
  scope: (change) =>
    ({
      added: says('low', `Scope ${change.name} is served: ${nextWords(change)}.`),
      changed: says('high', `Scope ${change.name} moves to ${nextWords(change)}: its clients get new addresses.`),
      removed: says('high', `Scope ${change.name} is no longer served: its clients lose their addresses.`),
    })[wayOf(change)],
  scope_ranges: ofScope,
  scope_gateway: ofScope,
  scope_dns: ofScope,
  scope_ntp: ofScope,
  scope_lease: ofScope,
  scope_domain: ofScope,
  option: (change) =>
    says('low', `${settingOf(change)} is ${change.after === undefined ? 'no longer sent' : nextWords(change)}.`),
  names: (change) =>
    change.after || wayOf(change) === 'added'
      ? says('low', `The name service is ${nextWords(change)}.`)
      : says('high', 'The name service is switched off: nobody gets an answer any more.'),
  zone: ({ name, after }) =>
    after
      ? says('low', `Zone ${name} is served: names in it without a record do not exist.`)
      : says('high', `Zone ${name} is no longer served: its names go to the upstream servers.`),
  listen: (change) => listening(change, change.name),
  dhcp_listen: (change) => listening(change, `${change.name} for DHCP`),
  upstream: (change) => says('medium', `Other names are asked of: ${nextWords(change)}.`),
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function meaningOf(change: Change): Meaning {
  const means = MEANS[change.kind] as ((change: Change) => Meaning) | undefined;
  return means?.(change) ?? says('low', `${settingOf(change)} becomes ${nextWords(change)}.`);
}

const MEMBERS = new Set<Kind>([
  'scope_ranges',
  'scope_gateway',
  'scope_dns',
  'scope_ntp',
  'scope_lease',
  'scope_domain',
]);
const OF_DHCP = new Set<Kind>([...MEMBERS, 'dhcp', 'authoritative', 'dhcp_listen', 'scope', 'option']);
/** Listeners and what is served. */
const ALWAYS_NAMED = new Set<Kind>(['zone', 'listen', 'dhcp_listen', 'scope']);

/**
 * Whether a fact comes or goes with a switch, whose sentence is enough. Added listeners and what is served are named
 * too.
 */
function comesWith({ kind }: Change, way: Way, { added, changed, removed }: ByWay): boolean {
  const ofDhcp = OF_DHCP.has(kind);
  const own = ofDhcp ? 'dhcp' : 'names';
  if (kind === own) return false;
  const switches = ofDhcp ? [added, removed] : [added, changed];
  if (!switches.some((all) => all.some((change) => change.kind === own))) return false;
  return way === 'removed' || !ALWAYS_NAMED.has(kind);
}

function meaningsOf(all: ByWay): Meaning[] {
  return WAYS.flatMap((way) =>
    all[way]
      .filter(({ kind }) => !COUNTED.has(kind))
      // Without the members of a scope that is added or removed.
      .filter((change) => (way === 'changed' || !MEMBERS.has(change.kind)) && !comesWith(change, way, all))
      .map(meaningOf),
  );
}

/** Of the whole new state: the number of addresses, and the aliases without a target. */
function recordsIn(after: Facts) {
  const aliases: [string, string][] = [];
  const names = new Set<string>();
  let addresses = 0;
  for (const [key, value] of dnsDhcp.all(after, 'record')) {
    const end = key.lastIndexOf(' ');
    const [name, type] = [key.slice(0, end), key.slice(end + 1)];
    names.add(name);
    if (type === 'CNAME') aliases.push([name, value]);
    if (type === 'A' || type === 'AAAA') addresses += 1;
  }
  return { addresses, dangling: danglingAliases(names, aliases) };
}

/** Sentences on aliases whose target has no managed record; the target may still be a leased name. */
function danglingSentences([first, ...others]: readonly [string, string][]): string[] {
  if (!first) return [];
  const more = others.length > 0 ? ` (and ${others.length} more like it)` : '';
  return [`Alias ${first[0]} points at ${first[1]}, which has no record${more}: it is answered without an address.`];
}

/** With fewer addresses a reload is over before a client could notice (measured: about 17 ms for 10,000). */
const NOTICEABLE = 20_000;
const tenths = (seconds: number): string => `${(Math.ceil(seconds * 10) / 10).toFixed(1)} s`;

/** The interruption of the halves that were in force. */
function interruptionOf(change: UnitChange, addresses: number): string {
  const touched = new Set([...change.written, ...change.removed]);
  const halves = [
    {
      called: 'name service',
      late: ' late',
      told: RESTART_TIMES.names.told,
      on: (view: Facts | null) => dnsDhcp.get(view, 'names') === true,
    },
    {
      called: 'DHCP',
      late: '',
      told: RESTART_TIMES.addresses.told,
      on: (view: Facts | null) => dnsDhcp.get(view, 'dhcp') === true,
    },
  ].filter(({ on }) => on(change.before));
  const ended = halves.filter(({ on }) => !on(change.after)).map(({ called }) => called);
  const going = halves.filter(({ on }) => on(change.after));
  const reading = addresses * SECONDS_PER_ADDRESS;
  const parts: string[] = [];
  if (ended.length > 0) parts.push(`${ended.join(' and ')} ${ended.length > 1 ? 'end' : 'ends'}`);
  if (touched.has(CONF_FILE)) {
    // Questions for names wait meanwhile; those for addresses don't.
    for (const { called, late, told } of going) parts.push(`${called} up to ${tenths(told + reading)}${late}`);
    if (going.some(({ late }) => late === '')) return `${parts.join(', ')}; ${ASK_AGAIN}`;
  } else if (going.length > 0 && touched.has(HOSTS_FILE) && addresses > NOTICEABLE) {
    parts.push(`answers up to ${tenths(reading)} late`);
  }
  return parts.join(', ') || 'none';
}

/** Pure: what the change means, in words, before it is made. */
export function impact(change: UnitChange): Impact {
  const all = byWay(change.before, change.after);
  const meanings = meaningsOf(all);
  const { addresses, dangling } = recordsIn(change.after);
  const lost = [...all.changed, ...all.removed].some(({ kind }) => COUNTED.has(kind));
  const level = Math.max(lost ? 1 : 0, ...meanings.map((meaning) => RISKS.indexOf(meaning.risk)));
  const says = [
    ...countedSentences(all),
    ...danglingSentences(dangling),
    ...meanings.map((meaning) => meaning.sentence),
  ];
  const more = says.length - MOST + 1;
  return {
    says: more > 1 ? [...says.slice(0, MOST - 1), `${more} more settings change.`] : says,
    risk: RISKS[level] ?? 'high',
    interruption: interruptionOf(change, addresses),
  };
}
