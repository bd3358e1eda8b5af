// The flat view of the firewall: what is open to whom, and each rule of the operator in one line.
import type { Entries } from '../../platform/units/unit.ts';
import type { FirewallDesired, OperatorRule } from './desired.ts';
import type { Opening } from './openings.ts';

/** Prefixes of the keys, which the words about a change tell apart. */
export const OPEN = 'open ';
export const RULE = 'rule ';

export function entries(desired: FirewallDesired): Entries {
  const { settings, openings, rules, routes } = desired;
  if (!settings.enabled) return new Map([['firewall', 'off']]);
  const view = new Map<string, string>([
    ['firewall', 'on'],
    ['ping', settings.allow_ping ? 'answered' : 'refused'],
    ['refused packets', settings.log_denied ? 'written to the system log' : 'not logged'],
    ['forwarding', forwarding(routes)],
  ]);
  for (const opening of openings) view.set(openingKey(opening), openingWords(opening));
  rules.forEach((rule, at) => {
    view.set(`${RULE}${rule.name}`, `${at + 1}. ${ruleWords(rule)}`);
  });
  return view;
}

function forwarding(routes: readonly string[]): string {
  if (routes.length === 0) return 'off';
  return routes.length === 1 ? `on ${routes[0]} alone` : `between ${routes.join(', ')}`;
}

/** `open DNS udp 53` */
function openingKey({ key, label, protocol, ports, family }: Opening): string {
  // Two datastores may have names that differ in nothing that is seen; their ids do.
  const own = key.startsWith('storage ') ? ` (${key.slice(8)})` : '';
  return `${OPEN}${label}${own} ${protocol} ${ports.join(', ')}${family === null ? '' : ` IPv${family}`}`;
}

const openingWords = ({ interfaces, sources }: Opening): string =>
  `on ${interfaces.join(', ')}${sources.length > 0 ? ` from ${sources.join(', ')}` : ''}`;

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
