// What each unit says of its readiness, by the subject that people know: names and addresses are one unit, and two subjects.
import { readiness as certificateAuthority } from '../../platform/certificate-authority/readiness.ts';
import { readiness as network } from '../../platform/network/readiness.ts';
import type { UnitReadiness } from '../../platform/units/readiness.ts';
import { dhcp, names } from '../../services/dns-dhcp/readiness.ts';
import { readiness as firewall } from '../../services/firewall/readiness.ts';
import { readiness as kms } from '../../services/kms/readiness.ts';
import { readiness as ldap } from '../../services/ldap/readiness.ts';
import { readiness as managementTls } from '../../services/management-tls/readiness.ts';
import { readiness as networkBoot } from '../../services/network-boot/readiness.ts';
import { readiness as ntp } from '../../services/ntp/readiness.ts';
import { readiness as depot } from '../../services/offline-depot/readiness.ts';
import { readiness as oidc } from '../../services/oidc/readiness.ts';
import { readiness as storage } from '../../services/storage/readiness.ts';
import { readiness as webTerminal } from '../../services/web-terminal/readiness.ts';
import { readiness as vcfNames } from '../../vcf/names/readiness.ts';

export const SUBJECTS = {
  network,
  firewall,
  dns: names,
  dhcp,
  ntp,
  'certificate-authority': certificateAuthority,
  kms,
  'management-tls': managementTls,
  ldap,
  oidc,
  'private-cloud-services': depot,
  storage,
  'network-boot': networkBoot,
  'web-terminal': webTerminal,
  'vcf-helper': vcfNames,
  // biome-ignore lint/suspicious/noExplicitAny: each has steps of its own.
} as const satisfies Readonly<Record<string, UnitReadiness<any>>>;
export type Subject = keyof typeof SUBJECTS;

/** Steps that another subject sees to. */
export const BORROWED: Partial<Record<Subject, Readonly<Record<string, readonly [Subject, string]>>>> = {
  kms: { root: ['certificate-authority', 'root'] },
  'private-cloud-services': { root: ['certificate-authority', 'root'] },
  ldap: { root: ['certificate-authority', 'root'] },
  'network-boot': { addresses: ['dhcp', 'enabled'] },
};
