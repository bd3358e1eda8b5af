// The firewall as facts: what is open to whom, and each rule of the operator.
import { UNIT_IDS } from '../../kernel/generated/units.ts';
import type { UnitId } from '../../platform/unit-names.ts';
import { type Difference, type Facts, factsOf, sameData } from '../../platform/units/facts.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import type { FirewallDesired, OperatorRule } from './desired.ts';
import type { Opening } from './openings.ts';
import { MANAGEMENT_UI } from './service-ports.ts';

export type Open = Pick<Opening, 'protocol' | 'family' | 'ports' | 'interfaces' | 'sources'> & {
  /** Settings document of the service, or another part of the appliance; see openings.ts. */
  service: string;
  /** Of a datastore; otherwise null. */
  datastore: { id: string; name: string } | null;
};

export type FirewallFacts = {
  enabled: boolean;
  /** Whether pings are answered. */
  ping: boolean;
  /** Whether refused packets are logged. */
  log: boolean;
  /** Interfaces between which packets are forwarded. */
  forwarding: string[];
  /** By service, protocol, ports and family. */
  open: Open;
  /** By name. `at`: its number in the order of matching, from 1. */
  rule: Omit<OperatorRule, 'id' | 'name' | 'position'> & { at: number };
};

export const firewall = factsOf<FirewallFacts>();

/** Without the number in the opening's key, which changes with the other open ports of the service. */
function openOf({ key, name, protocol, family, ports, interfaces, sources }: Opening): Open {
  const [service = '', id = ''] = key.split(' ');
  return { service, datastore: name === undefined ? null : { id, name }, protocol, family, ports, interfaces, sources };
}

const openName = ({ service, datastore, protocol, ports, family }: Open): string =>
  [service, datastore?.id, datastore?.name, protocol, ports.join(','), family].filter((part) => part != null).join(' ');

export function facts({ settings, openings, rules, routes }: FirewallDesired): Facts {
  const { facts: found, add } = firewall.list();
  add('enabled', settings.enabled);
  if (!settings.enabled) return found;
  add('ping', settings.allow_ping);
  add('log', settings.log_denied);
  add('forwarding', routes);
  for (const open of openings.map(openOf)) add('open', open, openName(open));
  rules.forEach(({ id: _id, name, position: _position, ...rule }, at) => {
    add('rule', { at: at + 1, ...rule }, name);
  });
  return found;
}

/** An opening follows the service that it is for, and the interfaces; who may reach the management UI is a setting here. */
export function causes({ kind, before, after }: Difference): readonly UnitId[] {
  if (kind === 'forwarding') return ['network'];
  if (kind !== 'open') return [];
  const [was, is] = [before, after] as unknown as (Open | undefined)[];
  const { service = '' } = is ?? was ?? {};
  if (service === MANAGEMENT_UI && !sameData(was?.sources, is?.sources)) return [];
  // The settings of DHCP are a document of their own.
  const unit = service === 'dhcp' ? 'dns-dhcp' : UNIT_IDS.find((id) => id === service);
  return unit ? [unit, 'network'] : ['network'];
}

/** A packet filter that is off is put in force for the first time: nothing is filtered, as before. */
export const staysOff = ({ before, after }: Pick<UnitChange, 'before' | 'after'>): boolean =>
  firewall.get(before, 'enabled') === undefined && firewall.get(after, 'enabled') === false;
