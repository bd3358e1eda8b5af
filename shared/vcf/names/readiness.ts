// Whether the names of a new cloud are answered. One of the helper's records is checked for all.
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { oldestRecordOf } from '../../services/dns-dhcp/dns/owned-records.ts';
import { dnsDhcpSettings } from '../../services/dns-dhcp/settings.ts';

export const readiness: UnitReadiness<'names'> = {
  settings: dnsDhcpSettings,
  order: [['names']],
  set: () => ({}),
  sample: {
    names: oldestRecordOf('vcf_helper'),
  },
};
