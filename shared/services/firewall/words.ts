// What people read of the firewall's facts.
import { onOff, viewOf, type WordsOf } from '../../platform/units/facts.ts';
import type { OperatorRule } from './desired.ts';
import type { FirewallFacts, Open } from './facts.ts';
import { openingLabel } from './service-ports.ts';

function forwarding(routes: readonly string[]): string {
  if (routes.length === 0) return 'off';
  return routes.length === 1 ? `on ${routes[0]} alone` : `between ${routes.join(', ')}`;
}

export const portWords = ({ protocol, ports }: Open): string => `${protocol} ${ports.join(', ')}`;

/** `DNS udp 53` */
export function opened(open: Open): string {
  const { service, datastore } = open;
  // Names of two datastores may look the same; their ids differ.
  const own = datastore === null ? '' : ` (${datastore.id})`;
  return `${openingLabel(service, datastore?.name)}${own} ${portWords(open)}`;
}

/** `on ens224 from 10.0.0.0/8`; `most` networks at most are named. */
export function toWhom({ interfaces, sources }: Open, most = Number.POSITIVE_INFINITY): string {
  const more = sources.length - most;
  const named = more > 1 ? `${sources.slice(0, most).join(', ')} and ${more} more networks` : sources.join(', ');
  return `on ${interfaces.join(', ')}${sources.length > 0 ? ` from ${named}` : ''}`;
}

export const familyWords = (family: Open['family']): string => (family === null ? '' : ` IPv${family}`);

/** `drop tcp 22 on lab0 from 10.0.0.0/8 to 10.1.0.1/32, logged` */
export function ruleWords(rule: Omit<OperatorRule, 'id' | 'name' | 'position'>): string {
  const { action, direction, protocol, ports, source_cidr, destination_cidr, log } = rule;
  const parts = [
    action,
    ...(direction === 'forward' ? ['passing'] : []),
    protocol === 'any' ? 'everything' : protocol,
    ...(ports === '' ? [] : [ports.replaceAll(',', ', ')]),
    ...(rule.interface === '' ? [] : [`on ${rule.interface}`]),
    ...(source_cidr === '' ? [] : [`from ${source_cidr}`]),
    ...(destination_cidr === '' ? [] : [`to ${destination_cidr}`]),
  ];
  return `${parts.join(' ')}${log ? ', logged' : ''}`;
}

export const WORDS: WordsOf<FirewallFacts> = {
  enabled: (_name, on) => ['firewall', onOff(on)],
  ping: (_name, answered) => ['ping', answered ? 'answered' : 'refused'],
  log: (_name, on) => ['refused packets', on ? 'written to the system log' : 'not logged'],
  forwarding: (_name, routes) => ['forwarding', forwarding(routes)],
  open: (_name, open) => [`open ${opened(open)}${familyWords(open.family)}`, toWhom(open)],
  rule: (name, rule) => [`rule ${name}`, `${rule.at}. ${ruleWords(rule)}`],
};
export const words = viewOf(WORDS);
