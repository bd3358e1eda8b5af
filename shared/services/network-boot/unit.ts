// The unit "Network boot": the applied manifest that the boot listener serves, and DHCP and TFTP for machines that
// boot.
import type { UnitDefinition } from '../../platform/units/unit.ts';
import { activate } from './activate.ts';
import { check } from './check.ts';
import { load, type NetworkBootDesired } from './desired.ts';
import { drift } from './drift.ts';
import { facts, follows } from './facts.ts';
import { fromWords } from './former-words.ts';
import { impact } from './impact.ts';
import { probe } from './probe.ts';
import { render } from './render.ts';
import { networkBootSettings } from './settings.ts';
import { words } from './words.ts';

const nobody = { scopes: [], own_addresses: [], hosts: [], kickstarts: [], media: [] };

export const networkBootUnit: UnitDefinition<NetworkBootDesired> = {
  id: 'network-boot',
  load,
  facts,
  words,
  follows,
  fromWords,
  render,
  impact,
  check,
  activate,
  // A rollback needs no secret, not even a sealed one.
  remember: ({ settings, listen }) => ({ settings, listen, ...nobody }),
  nothing: { settings: networkBootSettings.defaults, listen: [], ...nobody },
  probe: (host, desired) => probe(host, desired),
  drift,
  onlyRuns: true,
};
