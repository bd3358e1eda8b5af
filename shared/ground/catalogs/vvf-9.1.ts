// VMware vSphere Foundation 9.1.
import type { Catalog } from './catalog.ts';

export const vvf91: Catalog = {
  id: 'vvf-9.1',
  label: 'VVF 9.1',
  components: [
    { host: 'vc01', label: 'vCenter' },
    { host: 'ops01', label: 'VCF Operations primary node' },
    { host: 'vsp01', label: 'VCF services runtime' },
    { host: 'fleetlcm', label: 'Fleet components' },
    { host: 'shared01', label: 'Instance components' },
    { host: 'license', label: 'License Server' },
  ],
};
