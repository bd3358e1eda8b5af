// The settings documents that follow their interfaces, in the order of the units.

import { dependents as certificateAuthority } from '../platform/certificate-authority/dependents.ts';
import type { ServiceDependents } from '../platform/interfaces/refresh/snapshot.ts';
import { dependents as dns } from '../services/dns-dhcp/dependents.ts';
import { dependents as kms } from '../services/kms/dependents.ts';
import { dependents as ldap } from '../services/ldap/dependents.ts';
import { dependents as networkBoot } from '../services/network-boot/dependents.ts';
import { dependents as ntp } from '../services/ntp/dependents.ts';
import { dependents as privateCloudServices } from '../services/offline-depot/dependents.ts';
import { dependents as oidc } from '../services/oidc/dependents.ts';
import { dependents as webTerminal } from '../services/web-terminal/dependents.ts';

export const SERVICE_DEPENDENTS: readonly ServiceDependents[] = [
  dns,
  ntp,
  certificateAuthority,
  kms,
  ldap,
  oidc,
  privateCloudServices,
  networkBoot,
  webTerminal,
];
