// The paths of the pages, and the one place that writes them. Who leads to a page names what it shows and says the ids:
// `pagePath('dns-zone', zone.id)`. They are part of what is published, since refusals and previews say where to go.

/** Below `/ui`. What is done on a page (`/new`, `/delete`) follows its path and has no name of its own. */
const PAGES = {
  public: '/public',
  'public-root': '/public/ca',
  'public-requests': '/public/ca/requests',
  'public-status': '/public/status',
  'public-sign-in': '/public/sign-in',
  'public-problem': '/public/problem',
  overview: '/management',
  interfaces: '/management/interfaces',
  interface: '/management/interfaces/{name}',
  vlans: '/management/vlans',
  vlan: '/management/vlans/{vlan_id}',
  firewall: '/management/firewall',
  'firewall-rules': '/management/firewall/rules',
  'firewall-rule': '/management/firewall/rules/{rule_id}',
  'firewall-settings': '/management/firewall/settings',
  dns: '/management/dns',
  'dns-zones': '/management/dns/zones',
  'dns-zone': '/management/dns/zones/{zone_id}',
  'dns-records': '/management/dns/records',
  'dns-record': '/management/dns/records/{record_id}',
  'dns-settings': '/management/dns/settings',
  dhcp: '/management/dhcp',
  'dhcp-scopes': '/management/dhcp/scopes',
  'dhcp-scope': '/management/dhcp/scopes/{scope_id}',
  'dhcp-options': '/management/dhcp/options',
  'dhcp-option': '/management/dhcp/options/{option_id}',
  'dhcp-reservations': '/management/dhcp/reservations',
  'dhcp-reservation': '/management/dhcp/reservations/{reservation_id}',
  'dhcp-legacy-binding': '/management/dhcp/legacy-binding',
  'dhcp-settings': '/management/dhcp/settings',
  ntp: '/management/ntp',
  'ntp-sources': '/management/ntp/sources',
  'ntp-source': '/management/ntp/sources/{source_id}',
  'ntp-settings': '/management/ntp/settings',
  'certificate-authority': '/management/certificate-authority',
  certificates: '/management/certificate-authority/certificates',
  certificate: '/management/certificate-authority/certificates/{certificate_id}',
  'certificate-requests': '/management/certificate-authority/requests',
  'certificate-request': '/management/certificate-authority/requests/{request_id}',
  'certificate-profiles': '/management/certificate-authority/profiles',
  'certificate-profile': '/management/certificate-authority/profiles/{profile_name}',
  'certificate-authority-settings': '/management/certificate-authority/settings',
  kms: '/management/kms',
  'kms-providers': '/management/kms/providers',
  'kms-provider': '/management/kms/providers/{provider_id}',
  'kms-clients': '/management/kms/clients',
  'kms-client': '/management/kms/clients/{client_id}',
  'kms-keys': '/management/kms/keys',
  'kms-key': '/management/kms/keys/{key_id}',
  'kms-settings': '/management/kms/settings',
  ldap: '/management/ldap',
  oidc: '/management/oidc',
  storage: '/management/storage',
  'storage-volumes': '/management/storage/volumes',
  'storage-volume': '/management/storage/volumes/{volume_id}',
  datastores: '/management/storage/datastores',
  datastore: '/management/storage/datastores/{datastore_id}',
  'storage-settings': '/management/storage/settings',
  'vcf-helper': '/management/vcf-helper',
  'generated-fqdns': '/management/vcf-helper/generated-fqdns',
  'configure-depot': '/management/vcf-helper/offline-depot',
  'deploy-sddc-manager': '/management/vcf-helper/sddc-manager',
  'trust-certificate': '/management/vcf-helper/certificate-trust',
  'offline-depot': '/management/offline-depot',
  'offline-depot-users': '/management/offline-depot/users',
  'offline-depot-user': '/management/offline-depot/users/{http_user_id}',
  'offline-depot-settings': '/management/offline-depot/settings',
  'software-depot-id': '/management/offline-depot/software-depot-id',
  'network-boot': '/management/network-boot',
  'boot-hosts': '/management/network-boot/hosts',
  'boot-host': '/management/network-boot/hosts/{host_id}',
  kickstarts: '/management/network-boot/kickstarts',
  kickstart: '/management/network-boot/kickstarts/{kickstart_id}',
  'boot-media': '/management/network-boot/media',
  'boot-medium': '/management/network-boot/media/{medium_id}',
  'boot-waiting': '/management/network-boot/waiting',
  'network-boot-settings': '/management/network-boot/settings',
  vaults: '/management/vaults',
  'vault-key': '/management/vaults/key',
  'rotate-vault-key': '/management/vaults/key/rotate',
  'import-passwords': '/management/vaults/import',
  vault: '/management/vaults/{vault_id}',
  'vault-entries': '/management/vaults/{vault_id}/entries',
  'vault-entry': '/management/vaults/{vault_id}/entries/{entry_id}',
  apply: '/management/appliance-apply',
  'apply-drift': '/management/appliance-apply/drift/{unit}',
  plan: '/management/appliance-apply/{plan_id}',
  jobs: '/management/jobs',
  job: '/management/jobs/{job_id}',
  'audit-log': '/management/audit-log',
  archives: '/management/archives',
  'archive-schedule': '/management/archives/schedule',
  'archive-targets': '/management/archives/schedule/targets',
  'archive-target': '/management/archives/schedule/targets/{target_id}',
  archive: '/management/archives/{archive_id}',
  'first-start': '/management/first-start',
  'factory-reset': '/management/factory-reset',
  'web-terminal': '/management/web-terminal',
  users: '/management/users',
  user: '/management/users/{user_id}',
  'api-tokens': '/management/api-tokens',
  'api-token': '/management/api-tokens/{token_id}',
  settings: '/management/settings',
  'remote-settings': '/management/settings/remote',
  'public-settings': '/management/settings/public-pages',
  account: '/management/account',
  search: '/management/search',
  help: '/management/help',
  'help-subject': '/management/help/{subject}',
  events: '/management/events',
  theme: '/management/theme',
  'sign-in': '/management/sign-in',
  'sign-out': '/management/sign-out',
  problem: '/management/problem',
  refusal: '/management/refusal',
} as const;

export type PageName = keyof typeof PAGES;
type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}` ? [id: string, ...Ids<Rest>] : [];

/** `/ui/management/dns/zones/zon_1` */
export function pagePath<Name extends PageName>(name: Name, ...ids: Ids<(typeof PAGES)[Name]>): string {
  const left: string[] = [...ids];
  return pageRoute(name).replaceAll(/\{\w+\}/g, () => encodeURIComponent(left.shift()!));
}

/** `/ui/management/dns/zones/{zone_id}`: for the operation that answers there, and for the page of a form. */
export const pageRoute = (name: PageName): string => `/ui${PAGES[name]}`;

/** The page of one of many things, whose path has one id. */
export const itemPath = (name: PageName, id: string): string =>
  pageRoute(name).replace(/\{\w+\}/, encodeURIComponent(id));

/** Where a form leads back to. Only to a page of the management UI: an address from outside could be a trap. */
export function returnPath(wanted: string): string {
  const home = pagePath('overview');
  const own = wanted === home || [`${home}/`, `${home}?`].some((start) => wanted.startsWith(start));
  return own && /^[\w\-./?=&%~:+,@]+$/.test(wanted) && !wanted.includes('//') ? wanted : home;
}
