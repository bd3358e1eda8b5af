// What DNS and DHCP still need.
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { dhcpSettings } from './dhcp-settings.ts';
import { dnsDhcp } from './facts.ts';
import { dnsDhcpSettings } from './settings.ts';

export const names: UnitReadiness<'enabled' | 'zone' | 'record' | 'applied'> = {
  settings: dnsDhcpSettings,
  order: [['enabled'], ['zone'], ['record', 'zone'], ['applied', 'enabled']],
  rows: {
    zone: 'SELECT 1 FROM dns_zone WHERE enabled = 1',
    record: 'SELECT 1 FROM dns_record WHERE enabled = 1',
  },
  set: (saved) => ({ enabled: listening(saved) }),
  inForce: (facts) => ({
    enabled: dnsDhcp.get(facts, 'names') === true && !dnsDhcp.all(facts, 'listen').next().done,
    zone: !dnsDhcp.all(facts, 'zone').next().done,
    record: !dnsDhcp.all(facts, 'record').next().done,
  }),
};

export const dhcp: UnitReadiness<'scope' | 'enabled' | 'applied'> = {
  settings: dhcpSettings,
  order: [['scope'], ['enabled'], ['applied', 'scope', 'enabled']],
  rows: { scope: 'SELECT 1 FROM dhcp_scope WHERE enabled = 1' },
  set: ({ enabled }) => ({ enabled: enabled === true }),
  inForce: (facts) => ({
    scope: !dnsDhcp.all(facts, 'scope').next().done,
    enabled: dnsDhcp.get(facts, 'dhcp') === true,
  }),
};
