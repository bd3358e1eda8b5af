// The machines that the fake appliance knows, and their passwords. Passwords are made at start and differ from each other,
// so that a test can look for each of them.
import { createHash, randomBytes } from 'node:crypto';

export type Masking = 'none' | 'list' | 'all';

export interface Estate {
  /** Rows of `/v1/credentials`, with clear values. */
  credentials: CredentialRow[];
  /** Specification of the latest deployment; null: none. */
  spec: Record<string, unknown> | null;
  deployment: { id: string; status: string };
  /** Every password in it. */
  passwords: string[];
}

export interface CredentialRow {
  id: string;
  credentialType: string;
  accountType: string;
  username: string;
  password: string | null;
  resource: {
    resourceId: string;
    resourceName: string;
    resourceIp: string;
    resourceType: string;
    domainNames: string[];
  };
  [member: string]: unknown;
}

export const MASK = '********';

/** `hosts` ESXi hosts below `domain`; the same machines for both roles. */
export function estate({ hosts, domain, version }: { hosts: number; domain: string; version: string }): Estate {
  const seed = randomBytes(8).toString('hex');
  const passwords: string[] = [];
  const secret = (of: string): string => {
    const value = `Pw1!${createHash('sha256').update(`${seed}/${of}`).digest('base64url').slice(0, 20)}`;
    passwords.push(value);
    return value;
  };
  const credentials = rowsOf(hosts, domain, secret);
  const spec = specOf({ hosts, domain, version, secret });
  return { credentials, spec, deployment: { id: uuid('deployment'), status: 'COMPLETED_WITH_SUCCESS' }, passwords };
}

type Secret = (of: string) => string;

/** Kind of machine, name, then accounts: type of credential, type of account, user. */
type Machine = [kind: string, name: string, ...accounts: [string, string, string][]];

function rowsOf(hosts: number, domain: string, secret: Secret): CredentialRow[] {
  const machines: Machine[] = [
    ...names(hosts).map(
      (name): Machine => ['ESXI', name, ['SSH', 'USER', 'root'], ['SSH', 'SERVICE', `svc-vcf-${name}`]],
    ),
    ['VCENTER', 'vc01', ['SSH', 'USER', 'root']],
    [
      'PSC',
      'vc01',
      ['SSO', 'SYSTEM', 'administrator@vsphere.local'],
      ['SSO', 'SERVICE', 'svc-sddc01-vc01@vsphere.local'],
    ],
    ['NSXT_MANAGER', 'nsx01', ['SSH', 'USER', 'root'], ['API', 'USER', 'admin'], ['AUDIT', 'USER', 'audit']],
    ['NSXT_EDGE', 'edge01', ['SSH', 'USER', 'root'], ['SSH', 'USER', 'admin'], ['AUDIT', 'USER', 'audit']],
    ['BACKUP', 'backup', ['FTP', 'SYSTEM', 'vcf-backup']],
  ];
  return machines.flatMap(([kind, name, ...accounts], n) =>
    accounts.map(([credentialType, accountType, username]) => ({
      id: uuid(`${kind}/${name}/${credentialType}/${username}`),
      credentialType,
      accountType,
      username,
      password: secret(`${kind}/${name}/${credentialType}/${username}`),
      creationTimestamp: '2026-10-01T08:00:00.000Z',
      modificationTimestamp: '2026-10-01T08:00:00.000Z',
      expiry: { expiryDate: '2027-01-01T00:00:00.000Z', connectivityStatus: 'ACTIVE', status: 'ACTIVE' },
      resource: {
        resourceId: uuid(`${kind}/${name}`),
        resourceName: `${name}.${domain}`,
        resourceIp: `10.20.0.${10 + n}`,
        resourceType: kind,
        domainNames: ['mgmt'],
      },
    })),
  );
}

const names = (hosts: number): string[] =>
  Array.from({ length: hosts }, (_, n) => `esx${String(n + 1).padStart(2, '0')}`);

/**
 * As a deployment's `spec` answers it. Uncertain: which members a release fills in for generated passwords (here: those
 * of the SDDC Manager's shell users are missing), and which of them it masks.
 */
function specOf(facts: { hosts: number; domain: string; version: string; secret: Secret }): Record<string, unknown> {
  const { hosts, domain, version, secret } = facts;
  const fleet = version.startsWith('9.0')
    ? {
        vcfOperationsFleetManagementSpec: {
          hostname: `fleet01.${domain}`,
          rootUserPassword: secret('fleet/root'),
          adminUserPassword: secret('fleet/admin'),
        },
      }
    : { vidbSpec: { hostname: `idb01.${domain}`, adminUserPassword: secret('idb/admin') } };
  return {
    sddcId: 'mgmt',
    version: version.split('.').slice(0, 4).join('.'),
    dnsSpec: { subdomain: domain, nameservers: ['10.20.0.2'] },
    hostSpecs: names(hosts).map((hostname) => ({
      hostname,
      credentials: { username: 'root', password: secret(`host/${hostname}`) },
    })),
    vcenterSpec: {
      vcenterHostname: 'vc01',
      rootVcenterPassword: secret('vc/root'),
      adminUserSsoPassword: secret('vc/sso'),
      useExistingDeployment: false,
    },
    nsxtSpec: {
      vipFqdn: `nsx01.${domain}`,
      nsxtManagers: ['nsx01a', 'nsx01b', 'nsx01c'].map((hostname) => ({ hostname })),
      rootNsxtManagerPassword: secret('nsx/root'),
      nsxtAdminPassword: secret('nsx/admin'),
      nsxtAuditPassword: secret('nsx/audit'),
    },
    sddcManagerSpec: { hostname: 'sddc01', localUserPassword: secret('sddc/local'), rootPassword: '' },
    vcfOperationsSpec: {
      adminUserPassword: secret('ops/admin'),
      nodes: [{ hostname: `ops01.${domain}`, type: 'master', rootUserPassword: secret('ops/root') }],
    },
    vcfOperationsCollectorSpec: { hostname: `opsc01.${domain}`, rootUserPassword: secret('opsc/root') },
    vcfAutomationSpec: { hostname: `auto01.${domain}`, adminUserPassword: secret('auto/admin') },
    ...fleet,
  };
}

/** The same row with its password masked. */
export const masked = (row: CredentialRow): CredentialRow => ({ ...row, password: row.password && MASK });

/** A copy in which every password is masked. */
export function maskedSpec(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedSpec);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, item]) => [
      member,
      /password$/i.test(member) && typeof item === 'string' && item !== '' ? MASK : maskedSpec(item),
    ]),
  );
}

function uuid(of: string): string {
  const hex = createHash('sha256').update(of).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
