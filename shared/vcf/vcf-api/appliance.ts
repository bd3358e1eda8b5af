// An appliance of VCF: its role and its version. Apart from `detect.ts`, so that a page can name one without the code that
// asks it.
import type { ApplianceVersion } from './version.ts';

export type ApplianceRole = 'vcf-installer' | 'sddc-manager';

export interface Appliance {
  role: ApplianceRole;
  version: ApplianceVersion;
}

export const ROLE_TITLES: Record<ApplianceRole, string> = {
  'vcf-installer': 'VCF Installer',
  'sddc-manager': 'SDDC Manager',
};
