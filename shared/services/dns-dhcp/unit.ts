// The unit "DNS and DHCP": the name service, and in dhcp/ the half that gives out addresses. One dnsmasq does both, so
// that the name service knows leased names.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { type DnsDhcpDesired, load } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows, fromWords } from './facts.ts';
import { impact } from './impact.ts';
import { probe, probeInForce } from './probe.ts';
import { render } from './render.ts';
import { DNS_DHCP_DEFAULTS } from './settings.ts';
import { words } from './words.ts';

export const dnsDhcpUnit: UnitDefinition<DnsDhcpDesired> = {
  id: 'dns-dhcp',
  load,
  facts,
  words,
  follows,
  fromWords,
  render,
  impact,
  check,
  activate,
  remember: (desired) => ({ ...desired, records: [] }),
  nothing: { settings: { ...DNS_DHCP_DEFAULTS, enabled: false }, listen: [], zones: [], records: [], dhcp: null },
  probe: (host, desired) => probe(host, desired),
  probeInForce: (host, inForce) => probeInForce(host, inForce),
  drift,
  onlyRuns: true,
};
