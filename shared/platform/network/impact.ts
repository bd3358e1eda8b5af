// What a change of the network means to people.
import { sameData } from '../units/facts.ts';
import type { Impact, Risk, UnitChange } from '../units/unit.ts';
import { byInterface, type InterfaceFacts, type NetworkFact } from './facts.ts';
import { valueWords } from './words.ts';

const MOST_SENTENCES = 12;

const NOTHING: InterfaceFacts = {};

/** Settings whose change moves or ends connections over the interface. */
const MOVING = ['enabled', 'role', 'mode', 'vlan', 'ipv4_method', 'ipv4_cidr', 'ipv6_cidr'] as const;
const LABELS: Readonly<Partial<Record<NetworkFact, string>>> = {
  role: 'role',
  mode: 'mode',
  vlan: 'VLAN',
  ipv4_method: 'IPv4 method',
  ipv4_cidr: 'IPv4',
  ipv4_gateway: 'IPv4 gateway',
  ipv6_cidr: 'IPv6',
  ipv6_gateway: 'IPv6 gateway',
  mtu: 'MTU',
  management_ui: 'management UI',
};

interface Change {
  name: string;
  before: InterfaceFacts;
  after: InterfaceFacts;
  settings: NetworkFact[];
}

export function impact({ before, after }: UnitChange): Impact {
  const old = byInterface(before);
  const next = byInterface(after);
  const changes = [...new Set([...old.keys(), ...next.keys()])].flatMap((name): Change[] => {
    const was = old.get(name) ?? NOTHING;
    const becomes = next.get(name) ?? NOTHING;
    const settings = kindsIn(was, becomes).filter((kind) => !sameData(was[kind], becomes[kind]));
    return settings.length === 0 ? [] : [{ name, before: was, after: becomes, settings }];
  });
  const sentences = changes.map(sentence);
  const more = sentences.length - MOST_SENTENCES;
  const says = more > 0 ? [...sentences.slice(0, MOST_SENTENCES - 1), `And ${more + 1} more interfaces.`] : sentences;
  const risk = RISKS.find(([, applies]) => changes.some(applies))?.[0] ?? 'low';
  return {
    says,
    risk: before === null && risk === 'high' ? 'medium' : risk,
    interruption: interruption(changes, risk),
  };
}

const kindsIn = (...all: readonly InterfaceFacts[]): NetworkFact[] => [
  ...new Set(all.flatMap((facts) => Object.keys(facts) as NetworkFact[])),
];
const isNew = ({ before }: Change): boolean => kindsIn(before).length === 0;

const moves = (change: Change): boolean =>
  // A new interface interrupts nobody.
  !isNew(change) && MOVING.some((setting) => change.settings.includes(setting));
const carriesUi = ({ before }: Change): boolean => before.role === 'management' || before.management_ui === true;

const isGateway = (kind: NetworkFact): boolean => kind === 'ipv4_gateway' || kind === 'ipv6_gateway';

/** From the highest on: the first that applies to any change. */
const RISKS: readonly (readonly [Risk, (change: Change) => boolean])[] = [
  ['high', (change) => moves(change) && carriesUi(change)],
  ['high', (change) => change.before.role === 'management' && change.settings.some(isGateway)],
  ['medium', (change) => moves(change) || isNew(change)],
  ['medium', (change) => change.settings.some((kind) => isGateway(kind) || kind === 'mtu')],
];

function interruption(changes: Change[], risk: Risk): string {
  const moved = changes.filter(moves).map((change) => change.name);
  if (moved.length === 0) return 'none';
  const what = `connections over ${moved.slice(0, 3).join(', ')}${moved.length > 3 ? ' and others' : ''} end`;
  return risk === 'high' ? `${what}; the management UI answers at its new address at once` : what;
}

function sentence(change: Change): string {
  const { name, before, after, settings } = change;
  if (kindsIn(after).length === 0) return `${name} is no longer configured; its addresses are removed.`;
  if (after.enabled === false) return `${name} is disabled.`;
  const parts = settings.flatMap((kind) => {
    const label = LABELS[kind];
    if (label === undefined) return [];
    const [was, becomes] = [valueWords(kind, before[kind]), valueWords(kind, after[kind])];
    if (becomes === undefined) return [`${label} ${was} is removed`];
    return [was === undefined ? `${label} ${becomes}` : `${label} ${was} → ${becomes}`];
  });
  const verb = isNew(change) ? 'is configured' : before.enabled === false ? 'is enabled' : 'changes';
  return `${name} ${verb}: ${parts.join(', ')}.`;
}
