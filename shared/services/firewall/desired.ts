// The firewall's desired state: its settings, the openings of services, and the operator's rules. Three statements.

import type { Database, Row } from '../../ground/store/database.ts';
import { loadInterfaces, type NetworkInterface } from '../../platform/interfaces/interface.ts';
import {
  effectiveManagementListeners,
  type ManagementListener,
} from '../../platform/interfaces/management-listener.ts';
import { standings } from '../../platform/interfaces/refresh/standing.ts';
import { columnsOf, itemOf } from '../../platform/units/collection-store.ts';
import { settingsOf } from '../../platform/units/settings-store.ts';
import type { Surroundings } from '../../platform/units/unit.ts';
import { type Opening, openingsOf } from './openings.ts';
import { type FirewallRule, firewallRules } from './rules.ts';
import { OTHER_KEYS } from './service-ports.ts';
import { firewallSettings } from './settings.ts';

export type FirewallSettings = (typeof firewallSettings)['defaults'];

export interface FirewallDesired {
  settings: FirewallSettings;
  /** Openings of services and of the appliance itself, in the order of the rules. */
  openings: Opening[];
  /** Interfaces between which packets may be forwarded. */
  routes: string[];
  /** Enabled rules of the operator, in their order. */
  rules: OperatorRule[];
  /** Where the management UI is to be reached. */
  listeners: ManagementListener[];
  /** TCP port of the management UI; 0 while the port is not fixed. */
  management_port: number;
  /** Address of the person who reviews; null where it is not known. */
  operator: string | null;
}

export type OperatorRule = Omit<FirewallRule, 'description' | 'enabled' | 'revision' | 'created_at' | 'updated_at'>;

const RULES = `SELECT ${columnsOf(firewallRules)} FROM firewall_rule WHERE enabled = 1 ORDER BY position, name`;

export async function load(db: Database, surroundings: Surroundings): Promise<FirewallDesired> {
  const { listeners, management_port, operator } = surroundings;
  const snapshot = await surroundings.bound(db, [...listeners, ...OTHER_KEYS.map((key) => ({ key }))]);
  const interfaces = await loadInterfaces(db);
  const rows = await db.all<Row>(RULES);
  const document = snapshot.services.find(({ key }) => key === firewallSettings.key)?.document;
  const settings = settingsOf(firewallSettings, document) as FirewallSettings;
  return {
    settings,
    openings: openingsOf({ snapshot, interfaces, settings, surroundings }),
    routes: inUse(interfaces).filter((name) => interfaces.some((row) => row.name === name && row.role === 'route')),
    rules: rows.map((row) => ruleOf(itemOf(firewallRules, row))),
    listeners: effectiveManagementListeners(interfaces),
    management_port,
    operator,
  };
}

/** Names of interfaces in use, in their order. */
export function inUse(interfaces: readonly NetworkInterface[]): string[] {
  return [...standings(interfaces)].filter(([, { on }]) => on).map(([name]) => name);
}

function ruleOf(item: FirewallRule): OperatorRule {
  const { description: _d, enabled: _e, revision: _r, created_at: _c, updated_at: _u, ...rule } = item;
  return rule;
}
