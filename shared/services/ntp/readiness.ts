// What the time service still needs. Its sources set the appliance's own clock even while it is off.
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { ntp } from './facts.ts';
import { ntpSettings } from './settings.ts';

export const readiness: UnitReadiness<'source' | 'enabled' | 'applied'> = {
  settings: ntpSettings,
  order: [['source'], ['enabled'], ['applied', 'source']],
  rows: { source: 'SELECT 1 FROM ntp_source WHERE enabled = 1' },
  set: (saved) => ({ enabled: listening(saved) }),
  inForce: (facts) => ({
    source: !ntp.all(facts, 'source').next().done,
    enabled: ntp.get(facts, 'enabled') === true,
  }),
};
