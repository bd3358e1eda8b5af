// The settings documents that follow their interfaces, in the order of the units.
import type { ServiceDependents } from '../network/refresh/snapshot.ts';
import { dependents as certificateAuthority } from './certificate-authority/dependents.ts';
import { dependents as dns } from './dns-dhcp/dependents.ts';
import { dependents as kms } from './kms/dependents.ts';
import { dependents as ldap } from './ldap/dependents.ts';
import { dependents as networkBoot } from './network-boot/dependents.ts';
import { dependents as ntp } from './ntp/dependents.ts';
import { dependents as oidc } from './oidc/dependents.ts';
import { dependents as privateCloudServices } from './private-cloud-services/dependents.ts';
import { dependents as webTerminal } from './web-terminal/dependents.ts';

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
