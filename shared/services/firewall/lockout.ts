// Whether people could still reach the management UI under a rule set: an apply that would lock out everybody is
// refused.
import {
  type Address,
  addressOf,
  isLoopback,
  isUnicast,
  parseAddress,
  parseCidr,
} from '../../ground/addresses/address.ts';
import type { ManagementListener } from '../../platform/interfaces/management-listener.ts';
import type { FirewallDesired } from './desired.ts';
import { evaluate } from './evaluate.ts';
import type { ExplainedRule } from './filter-rule.ts';
import { ruleSet } from './rule-set.ts';

/** One sentence for each way in which the rules would lock people out. */
export function lockoutFaults(desired: FirewallDesired): string[] {
  const { settings, listeners, management_port, operator } = desired;
  if (!settings.enabled) return [];
  if (management_port === 0) {
    return [
      'The management UI has no fixed port, so the firewall could not open it: start the service with a port other than 0, or switch the firewall off.',
    ];
  }
  // The network unit checks that there is a listener.
  if (listeners.length === 0) return [];
  const rules = ruleSet(desired);
  const from = (source: Address): ExplainedRule[] | null => refusing(rules, listeners, management_port, source);
  const everywhere = sources(rules).map(from);
  if (!everywhere.includes(null)) {
    return [`No new connection could reach the management UI from anywhere: ${blame(everywhere.flat())}`];
  }
  const asked = operator === null ? null : parseAddress(operator);
  // A request from this machine itself, such as through a tunnel, needs no rule. For a family that no listener has, as
  // behind a proxy, the rules tell nothing.
  const known =
    asked && !isLoopback(asked) && listeners.some(({ address }) => address.includes(':') === (asked.family === 6));
  const refused = known ? from(asked) : null;
  return refused ? [`You could not reach the management UI again from ${asked!.text}: ${blame(refused)}`] : [];
}

/** The rules that refuse, one for each listener of the family; null when one of them accepts. */
function refusing(
  rules: readonly ExplainedRule[],
  listeners: readonly ManagementListener[],
  port: number,
  source: Address,
): ExplainedRule[] | null {
  const said = listeners.flatMap((listener) => {
    const destination = parseAddress(listener.address);
    if (destination?.family !== source.family) return [];
    const common = { chain: 'input', state: 'new', protocol: 'tcp' } as const;
    return [evaluate(rules, { ...common, iifname: listener.interface, source, destination, port })];
  });
  if (said.some(({ verdict }) => verdict === 'accept')) return null;
  return said.flatMap(({ rule }) => rule ?? []);
}

const FALLING_THROUGH = 'the networks that may reach the management UI leave it out.';

function blame(refusing: readonly (ExplainedRule | null)[]): string {
  const names = new Set(refusing.flatMap((rule) => (rule?.origin === 'operator' ? [rule.label] : [])));
  const [first, ...others] = [...names];
  if (first === undefined) return FALLING_THROUGH;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `the rule ${first}${more} would refuse it. Put a rule before it that accepts your network, or disable it.`;
}

/** Blocks of addresses that no machine can have: their bounds are bounds of parts, too. */
const ODD = ['0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3', '::/127', 'ff00::/8'];

/**
 * One address for each part of the address space between the bounds of the rules' networks: the rules decide alike
 * about all addresses of a part.
 */
function sources(rules: readonly ExplainedRule[]): Address[] {
  const named = rules.flatMap(({ matches }) =>
    matches.filter(({ subject }) => subject === 'ip saddr' || subject === 'ip6 saddr').flatMap(({ values }) => values),
  );
  const cidrs = [...ODD, ...named].flatMap((text) => parseCidr(text.includes('/') ? text : single(text)) ?? []);
  const found = cidrs.flatMap(({ family, first, last }) => [addressOf(family, first), addressOf(family, last + 1n)]);
  return found.flatMap((address) => (address && isUnicast(address) && !isLoopback(address) ? [address] : []));
}

const single = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`;
