// The furnished appliance's services: settings of every unit, time sources, a disk with datastores, hosts that boot.

import { plainRequest } from './signing-request.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

const LISTENING = { enabled: true, listen_interfaces: ['ens224', 'ens256.20'] };

const SETTINGS: readonly [path: string, settings: object][] = [
  ['network', { hostname: 'gc01.lab.example', dns_servers: ['192.168.10.2', '10.10.0.53'] }],
  ['firewall', { management_networks: ['10.10.0.0/24', '192.168.10.0/24', 'fd00:10::/64'] }],
  ['ntp', { ...LISTENING, hostname: 'ntp.lab.example', allowed_clients: ['192.168.10.0/24', '172.16.20.0/24'] }],
  ['certificate-authority', { enabled: true, organization: 'Lab', portal_hostname: 'ca.lab.example' }],
  ['kms', { ...LISTENING, hostname: 'kms.lab.example' }],
  ['oidc', { hostname: 'id.corp.example' }],
  ['private-cloud-services', { enabled: true, listen_interfaces: ['ens224'], hostname: 'depot.lab.example' }],
  ['storage', { enabled: true }],
  ['network-boot', { enabled: true, listen_interfaces: ['ens256.20'], hostname: 'boot.lab.example' }],
];

const SOURCES = [
  { address: 'time1.lab.example', prefer: true, description: 'Rack clock' },
  { address: 'pool.lab.example', kind: 'pool', nts: true },
  { address: '10.10.0.53', enabled: false, description: 'Old firewall' },
];

const RULES = [
  {
    name: 'SSH from the jump host',
    action: 'accept',
    source_cidr: '10.10.0.9',
    protocol: 'tcp',
    ports: '22',
    description: 'Bastion of the operations team',
  },
  { name: 'No guests at the depot', action: 'reject', interface: 'ens224', protocol: 'tcp', ports: '443', log: true },
  { name: 'Old monitoring', action: 'accept', protocol: 'udp', ports: '161', enabled: false },
];

const HOSTS = [
  {
    hostname: 'esx11.lab.example',
    mac_address: '00:50:56:01:11:01',
    ip_address: '172.16.20.41',
    description: 'Rack 2, unit 11',
  },
  { hostname: 'esx12.lab.example', mac_address: '00:50:56:01:11:02', enabled: false },
];

/** Answers a sample of each path parameter. Expects the interfaces, the zone and the scopes of furnish.ts. */
export async function furnishUnits(call: Call): Promise<Record<string, string>> {
  for (const [unit, settings] of SETTINGS) await call('PATCH', `/api/v1/${unit}/settings`, settings);
  // The depot serves nothing without it.
  await call('POST', '/api/v1/certificate-authority/root');
  const certificates = await furnishCertificates(call);
  const [rule] = await all(call, '/api/v1/firewall/rules', RULES);
  const [source] = await all(call, '/api/v1/ntp/sources', SOURCES);
  const volume = await call('POST', '/api/v1/storage/volumes', {
    name: 'nvme1',
    device: '/dev/disk/by-id/nvme-eui.36000c29e5f1b8a7c',
    description: 'First disk of the second controller',
  });
  const on = { volume_id: volume.id, interface: 'ens256.20', address_families: ['ipv4'] };
  const [datastore] = await all(call, '/api/v1/storage/datastores', [
    { ...on, name: 'lab-nfs-01', ipv4_clients: ['172.16.20.0/24'], description: 'Templates and ISO images' },
    { ...on, name: 'lab-nfs-02', nfs_version: '3', enabled: false },
  ]);
  const directory = await furnishDirectory(call);
  const boots = await furnishBoot(call);
  return {
    rule_id: rule!,
    source_id: source!,
    volume_id: volume.id,
    datastore_id: datastore!,
    ...certificates,
    ...directory,
    ...boots,
  };
}

/** A directory that is not switched on: two organisations, of which one holds people. */
async function furnishDirectory(call: Call): Promise<Record<string, string>> {
  const ldap = '/api/v1/ldap';
  const lab = { slug: 'lab', suffix: 'dc=lab,dc=example', description: 'People of the lab' };
  const organization = await call('POST', `${ldap}/organizations`, lab);
  await call('POST', `${ldap}/organizations`, { slug: 'guests', suffix: 'o=guests', enabled: false });
  const of = { organization_id: organization.id };
  const ada = await call('POST', `${ldap}/users`, { ...of, uid: 'ada', given_name: 'Ada', surname: 'Lovelace' });
  await call('POST', `${ldap}/users`, { ...of, uid: 'backup', surname: 'Backup', kind: 'service', enabled: false });
  await call('POST', `${ldap}/groups`, { ...of, name: 'Operators', member_users: ['ada'] });
  const admins = { ...of, name: 'VCF Admins', member_groups: ['Operators'], description: 'Administrators of VCF' };
  const group = await call('POST', `${ldap}/groups`, admins);
  const account = await call('POST', `${ldap}/bind-accounts`, {
    ...of,
    name: 'vcenter',
    description: 'Looks users up',
  });
  await call('POST', `${ldap}/users/${ada.id}/password`, { password: 'correct horse battery staple' });
  return {
    organization_id: organization.id,
    directory_user_id: ada.id,
    group_id: group.id,
    bind_account_id: account.id,
  };
}

/** Certificates for requests of others: one in use, one revoked, and a request that waits. */
async function furnishCertificates(call: Call): Promise<Record<string, string>> {
  const authority = '/api/v1/certificate-authority';
  const { csr } = plainRequest();
  const names = ['vc01.lab.example', '172.16.20.10'];
  const kept = await call('POST', `${authority}/certificates`, { csr, profile: 'vmware', names });
  const lost = await call('POST', `${authority}/certificates`, { csr, profile: 'server' });
  await call('POST', `${authority}/certificates/${lost.id}/revoke`, { revocation_reason: 'superseded' });
  await call('PATCH', `${authority}/profiles/server`, { allowed_names: ['*.lab.example', '10.0.0.0/8'] });
  const request = await call('POST', `${authority}/requests`, { csr, profile: 'server', note: 'New host of the lab' });
  return { certificate_id: kept.id, request_id: request.id, profile_name: 'server' };
}

const KICKSTART = `vmaccepteula
install --firstdisk=local --overwritevmfs
rootpw --iscrypted {{ var.root_password_hash }}
network --bootproto=static --ip={{ host.ip_address }} --hostname={{ host.hostname }}
reboot
`;

/** A Kickstart, media that wait for their images, and hosts; the first has what it installs. */
async function furnishBoot(call: Call): Promise<Record<string, string>> {
  const boot = '/api/v1/network-boot';
  const kickstart = await call('POST', `${boot}/kickstarts`, { name: 'Compute', text: KICKSTART });
  const medium = await call('POST', `${boot}/media`, { name: 'ESXi 9.1', size_bytes: 722_534_400 });
  const variables = { root_password_hash: '$6$rounds=4096$lab$0' };
  const [first, ...others] = HOSTS;
  const [host] = await all(call, `${boot}/esxi-hosts`, [
    { ...first, kickstart_id: kickstart.id, variables },
    ...others,
  ]);
  return { host_id: host!, kickstart_id: kickstart.id, medium_id: medium.medium_id };
}

/** Creates each; answers their ids. */
async function all(call: Call, path: string, items: readonly object[]): Promise<string[]> {
  const ids: string[] = [];
  for (const item of items) ids.push((await call('POST', path, item)).id);
  return ids;
}
