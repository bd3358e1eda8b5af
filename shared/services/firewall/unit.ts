// The firewall: one nftables table from interface roles, enabled services and the operator's rules.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate, drift, probe } from './activate.ts';
import { check } from './check.ts';
import { type FirewallDesired, load } from './desired.ts';
import { causes, facts } from './facts.ts';
import { impact } from './impact.ts';
import { render } from './render.ts';
import { firewallSettings } from './settings.ts';
import { words } from './words.ts';

export const firewallUnit: UnitDefinition<FirewallDesired> = {
  id: 'firewall',
  load,
  facts,
  causes,
  words,
  render,
  impact,
  check,
  activate,
  // Words are not remembered: they change nothing that is in force.
  remember: ({ openings, ...desired }) => ({
    ...desired,
    openings: openings.map((opening) => ({ ...opening, label: '', why: '' })),
    operator: null,
  }),
  nothing: {
    settings: { ...firewallSettings.defaults, enabled: false },
    openings: [],
    routes: [],
    rules: [],
    listeners: [],
    management_port: 0,
    operator: null,
  },
  probe,
  drift,
};
