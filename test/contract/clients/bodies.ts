// The smallest body that each operation of the API takes, from the facts that its scenario was given. It imports nothing that
// runs: it is also compiled beside the generated clients, whose types come from the document alone.
import type { BodiesOf } from './bodies-of.ts';

const PLAIN = 'vmaccepteula\ninstall --firstdisk\nrootpw {{ var.root_password }}\nreboot\n';

export const BODIES = {
  importRootCertificate: ({ pem }) => ({ pem: pem! }),
  createCertificateWithKey: () => ({
    profile: 'server',
    names: ['host.lab.example'],
    key_algorithm: 'ecdsa-p256',
    passphrase: 'under this phrase',
  }),
  signCertificate: ({ csr }) => ({ csr: csr!, profile: 'server' }),
  previewCertificateRequest: ({ csr }) => ({ csr: csr! }),
  revokeCertificate: () => ({ revocation_reason: 'superseded' }),
  createCertificateRequest: ({ csr }) => ({ csr: csr!, profile: 'server' }),
  approveCertificateRequest: () => ({ validity_days: 30 }),
  refuseCertificateRequest: () => ({ reason: 'Not ours.' }),
  updateCertificateProfile: ({ days }) => ({ validity_days: Number(days) }),

  createKeyProvider: ({ name }) => ({ name: name! }),
  updateKeyProvider: () => ({ description: 'Lab' }),
  uploadKmsClient: ({ provider_id, certificate }) => ({
    provider_id: provider_id!,
    name: 'vc01.lab.example',
    certificate: certificate!,
    own_password: 'correct horse battery staple',
  }),
  signKmsClient: ({ provider_id, csr }) => ({
    provider_id: provider_id!,
    name: 'vc01.lab.example',
    csr: csr!,
    own_password: 'correct horse battery staple',
  }),
  bringBackKmsKey: () => ({ own_password: 'correct horse battery staple' }),
  makeKmsClient: ({ provider_id }) => ({
    provider_id: provider_id!,
    name: 'vc01.lab.example',
    names: ['vc01.lab.example'],
    own_password: 'correct horse battery staple',
  }),

  createOidcClient: ({ name }) => ({ name: name!, redirect_uris: ['https://app.lab.example/callback'] }),
  updateOidcClient: () => ({ description: 'Lab' }),
  rotateOidcClientSecret: () => ({ overlap_seconds: 3600 }),

  createArchive: () => ({ encryption: 'none' }),
  updateArchiveSchedule: () => ({ keep_last: 5, at: '03:30' }),
  createArchiveTarget: () => ({
    name: 'backup01',
    kind: 'sftp',
    host: 'backup01.lab.example',
    username: 'lab',
    path: 'archives',
    password: 'of the lab',
  }),
  updateArchiveTarget: () => ({ enabled: false }),
  confirmArchiveTargetHostKey: ({ host_key_sha256 }) => ({ host_key_sha256: host_key_sha256! }),
  beginArchiveUpload: () => ({ name: 'lab.gcarchive', size_bytes: 14 }),
  inspectArchive: () => ({}),
  factoryReset: () => ({ confirm: 'gc01.lab.example', own_password: 'correct horse battery staple' }),
  restoreArchive: () => ({
    mode: 'replace',
    units: [{ unit: 'dns-dhcp', collections: [{ collection: 'dns_zones' }] }],
  }),

  createPlan: () => ({ units: ['network'] }),
  submitPlan: ({ digest }) => ({ digest: digest!, note: 'contract' }),
  confirmPlan: ({ nonce }) => ({ nonce: nonce! }),
  extendPlan: () => ({ confirm_timeout: 90 }),
  clearConfirmWindow: () => ({ reason: 'A disk went bad.' }),

  changeOwnPassword: () => ({
    current_password: 'correct horse battery staple',
    new_password: 'a long enough passphrase',
    keep_tokens: true,
  }),
  createApiToken: ({ name }) => ({ name: name!, scopes: ['read:dns'] }),
  createUser: ({ name }) => ({ name: name!, role: 'viewer', password: 'a long enough passphrase' }),
  updateUser: () => ({ enabled: false }),

  updatePhysicalInterface: ({ mtu }) => ({ mtu: Number(mtu) }),
  createVlan: ({ parent_interface, number, ipv4_cidr }) => ({
    parent_interface: parent_interface!,
    vlan_id: Number(number),
    ipv4_cidr: ipv4_cidr!,
  }),
  updateVlan: () => ({ mtu: 1400 }),
  createFirewallRule: ({ name }) => ({ name: name!, action: 'accept', protocol: 'tcp', ports: '22' }),
  updateFirewallRule: () => ({ action: 'drop' }),
  createNtpSource: ({ address }) => ({ address: address! }),
  updateNtpSource: () => ({ prefer: true }),

  createLdapOrganization: ({ slug, suffix }) => ({ slug: slug!, suffix: suffix! }),
  updateLdapOrganization: () => ({ description: 'Lab' }),
  createLdapUser: ({ organization_id, named }) => ({
    organization_id: organization_id!,
    uid: named!,
    surname: 'Lovelace',
  }),
  updateLdapUser: () => ({ given_name: 'Ada' }),
  createLdapGroup: ({ organization_id, named }) => ({ organization_id: organization_id!, name: named! }),
  updateLdapGroup: () => ({ description: 'Lab' }),
  createLdapBindAccount: ({ organization_id, named }) => ({ organization_id: organization_id!, name: named! }),
  updateLdapBindAccount: () => ({ description: 'Lab' }),
  importLdapEntries: ({ named }) => ({ kind: 'users', csv: `uid,surname\n${named},Lovelace\n` }),
  makeLdapTestUsers: ({ named }) => ({ count: 2, groups: 1, seed: named! }),
  setLdapUserPassword: () => ({ password: 'a passphrase of its own' }),
  setLdapBindAccountPassword: () => ({ password: 'a passphrase of its own' }),

  createDnsZone: ({ zone }) => ({ name: zone! }),
  updateDnsZone: () => ({ description: 'Lab' }),
  createDnsRecord: ({ zone }) => ({ fqdn: `esx01.${zone}`, type: 'A', value: '10.10.0.11' }),
  createDnsRecords: ({ zone }) => ({
    records: [
      { fqdn: `a.${zone}`, type: 'A', value: '10.10.0.12' },
      { fqdn: `b.${zone}`, type: 'CNAME', value: `a.${zone}` },
    ],
  }),
  updateDnsRecord: () => ({ description: 'vCenter' }),

  createDhcpScope: ({ n }) => ({ name: `new ${n}`, subnet_cidr: `10.79.${Number(n) % 250}.0/24`, enabled: false }),
  updateDhcpScope: () => ({ description: 'Lab' }),
  createDhcpOption: ({ scope_id }) => ({ scope_id: scope_id!, code: 66, value: 'tftp.lab.test' }),
  updateDhcpOption: () => ({ value: 'boot.lab.test' }),
  createDhcpReservation: ({ hostname, mac, ip }) => ({
    hostname: hostname!,
    mac_address: mac!,
    ip_address: ip!,
    enabled: false,
  }),
  updateDhcpReservation: () => ({ hostname: 'esx-renamed' }),
  switchDhcpReservations: ({ reservation_id }) => ({ ids: [reservation_id!], enabled: false }),
  deleteDhcpReservations: ({ reservation_id }) => ({ ids: [reservation_id!] }),
  updateDhcpLegacyBinding: ({ lease }) => ({ lease_time: Number(lease) }),

  // A member that no other one depends on, and values that differ from each other.
  updateCertificateAuthoritySettings: ({ n }) => ({ portal_hostname: `host${n}.lab.example` }),
  updateDhcpSettings: ({ n }) => ({ lease_time: 3600 + Number(n) }),
  updateDnsDhcpSettings: ({ ttl }) => ({ ttl_seconds: Number(ttl) }),
  updateFirewallSettings: ({ n }) => ({ management_networks: [`10.${Number(n) >> 8}.${Number(n) & 255}.0/24`] }),
  updateManagementTlsSettings: ({ n }) => ({ source: 'self_signed', names: [`host${n}.lab.example`] }),
  uploadManagementCertificate: ({ certificate, private_key }) => ({
    certificate: certificate!,
    private_key: private_key!,
    own_password: 'correct horse battery staple',
  }),
  updateKmsSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateLdapSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateNetworkBootSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateNetworkSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateNtpSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateOidcSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updatePrivateCloudServicesSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updatePublicPagesSettings: ({ status }) => ({ status: status === 'true' }),
  updateRemoteSettings: ({ network }) => ({ allowed_networks: [network!] }),
  updateStorageSettings: ({ n }) => ({ hostname: `host${n}.lab.example` }),
  updateWebTerminalSettings: ({ n }) => ({ session_minutes: 5 + (Number(n) % 400) }),

  createStorageVolume: ({ name, device }) => ({ name: name!, device: device! }),
  updateStorageVolume: () => ({ description: 'Lab' }),
  createStorageDatastore: ({ volume_id, name }) => ({
    name: name!,
    volume_id: volume_id!,
    interface: 'ens192',
    address_families: ['ipv4'],
  }),
  updateStorageDatastore: () => ({ nfs_version: '3' }),

  createDepotUser: ({ name }) => ({ name: name!, password: 'a password of the depot' }),
  updateDepotUser: () => ({ password: 'another password of it' }),
  generateSoftwareDepotId: () => ({ confirm: true }),
  beginDepotUpload: ({ name }) => ({ name: name!, size_bytes: 5 }),
  completeDepotUpload: () => ({}),

  createEsxiHost: ({ hostname, mac_address, ip_address }) => ({
    hostname: hostname!,
    mac_address: mac_address!,
    ip_address: ip_address!,
  }),
  updateEsxiHost: ({ hostname }) => ({ hostname: `${hostname}-b` }),
  createKickstart: ({ name, text }) => ({ name: name!, text: text! }),
  updateKickstart: () => ({ text: PLAIN }),
  validateKickstart: () => ({ text: PLAIN }),
  authorizeBootOnce: ({ boot_code }) => ({ boot_code: boot_code! }),
  createBootMedium: ({ name, path }) => ({ name: name!, path: path! }),
  updateBootMedium: () => ({ description: 'Lab' }),

  createVault: ({ name }) => ({ name: name! }),
  updateVault: () => ({ description: 'Lab' }),
  createVaultEntry: () => ({ key: 'esx01.root', username: 'root', value: 'a stored password' }),
  updateVaultEntry: () => ({ value: 'another one' }),

  createGeneratedFqdns: ({ prefix, domain, start_ipv4_cidr }) => ({
    catalog: 'vvf-9.1',
    prefix: prefix!,
    domain: domain!,
    start_ipv4_cidr: start_ipv4_cidr!,
  }),
  deleteGeneratedFqdns: ({ prefix, domain }) => ({ catalog: 'vvf-9.1', prefix: prefix!, domain: domain! }),
} satisfies BodiesOf;
