// What a change of the network means to people.
import type { Impact, Risk, UnitChange } from '../units/unit.ts';
import { byInterface } from './desired.ts';

const MOST_SENTENCES = 12;

type Settings = ReadonlyMap<string, string>;
const NOTHING: Settings = new Map();

/** Settings whose change moves or ends connections over the interface. */
const MOVING = ['enabled', 'role', 'mode', 'vlan', 'ipv4_method', 'ipv4_cidr', 'ipv6_cidr'] as const;
const LABELS: Readonly<Record<string, string>> = {
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
  before: Settings;
  after: Settings;
  settings: string[];
}

export function impact({ before, after }: UnitChange): Impact {
  const old = byInterface(before);
  const next = byInterface(after);
  const changes = [...new Set([...old.keys(), ...next.keys()])].flatMap((name): Change[] => {
    const was = old.get(name) ?? NOTHING;
    const becomes = next.get(name) ?? NOTHING;
    const settings = [...new Set([...was.keys(), ...becomes.keys()])].filter(
      (key) => was.get(key) !== becomes.get(key),
    );
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

const moves = (change: Change): boolean =>
  // What is there for the first time interrupts nobody.
  change.before.size > 0 && MOVING.some((setting) => change.settings.includes(setting));
const carriesUi = ({ before }: Change): boolean => before.get('role') === 'management' || before.has('management_ui');

/** The highest that applies to any change. */
const RISKS: readonly (readonly [Risk, (change: Change) => boolean])[] = [
  ['high', (change) => moves(change) && carriesUi(change)],
  [
    'high',
    (change) => change.before.get('role') === 'management' && change.settings.some((key) => key.endsWith('gateway')),
  ],
  ['medium', (change) => moves(change) || change.before.size === 0],
  ['medium', (change) => change.settings.some((setting) => setting.endsWith('gateway') || setting === 'mtu')],
];

function interruption(changes: Change[], risk: Risk): string {
  const moved = changes.filter(moves).map((change) => change.name);
  if (moved.length === 0) return 'none';
  const what = `connections over ${moved.slice(0, 3).join(', ')}${moved.length > 3 ? ' and others' : ''} end`;
  return risk === 'high' ? `${what}; the management UI answers at its new address at once` : what;
}

function sentence({ name, before, after, settings }: Change): string {
  if (after.size === 0) return `${name} is no longer configured; its addresses are removed.`;
  if (after.get('enabled') === 'no') return `${name} is disabled.`;
  const parts = settings.flatMap((setting) => {
    const label = LABELS[setting];
    if (label === undefined) return [];
    const was = before.get(setting);
    const becomes = after.get(setting);
    if (becomes === undefined) return [`${label} ${was} is removed`];
    return [was === undefined ? `${label} ${becomes}` : `${label} ${was} → ${becomes}`];
  });
  const verb = before.size === 0 ? 'is configured' : before.get('enabled') === 'no' ? 'is enabled' : 'changes';
  return `${name} ${verb}: ${parts.join(', ')}.`;
}
