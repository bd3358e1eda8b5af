// VMware Cloud Foundation 9.1.
import type { Catalog } from './catalog.ts';

export const vcf91: Catalog = {
  id: 'vcf-9.1',
  label: 'VCF 9.1',
  components: [
    { host: 'vc01', label: 'vCenter' },
    { host: 'nsx01', label: 'NSX Manager cluster' },
    { host: 'nsx02', label: 'NSX Manager appliance 1' },
    { host: 'nsx03', label: 'NSX Manager appliance 2' },
    { host: 'nsx04', label: 'NSX Manager appliance 3' },
    { host: 'ops01', label: 'VCF Operations primary node' },
    { host: 'ops02', label: 'VCF Operations replica node' },
    { host: 'ops03', label: 'VCF Operations data node' },
    { host: 'collector', label: 'Cloud Proxy' },
    { host: 'auto-vip', label: 'VCF Automation' },
    { host: 'auto-platform', label: 'VCF Automation Runtime' },
    { host: 'sddcm', label: 'SDDC Manager' },
    { host: 'vsp01', label: 'VCF services runtime' },
    { host: 'fleetlcm', label: 'Fleet components' },
    { host: 'shared01', label: 'Instance components' },
    { host: 'vidb', label: 'Identity Broker' },
    { host: 'license', label: 'License Server' },
  ],
};
