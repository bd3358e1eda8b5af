// What the audit log's codes mean to people: one table of actions, one of the kinds of things that they were done to.

const OF_THINGS = { create: 'Added', update: 'Changed', delete: 'Deleted' } as const;
type Verb = keyof typeof OF_THINGS;

/** Kinds of things that are added, changed and deleted: the beginning of their actions, and their name. */
const THINGS: Readonly<Record<string, string>> = {
  'depot.http_user': 'depot user',
  'dhcp.option': 'DHCP option',
  'dhcp.reservation': 'DHCP reservation',
  'dhcp.scope': 'DHCP scope',
  'dns.record': 'DNS record',
  'dns.zone': 'DNS zone',
  'firewall.rule': 'firewall rule',
  'network-boot.host': 'network boot host',
  'network-boot.kickstart': 'Kickstart',
  'network-boot.medium': 'boot medium',
  'network.interface': 'interface',
  'network.vlan': 'VLAN',
  'ntp.source': 'NTP source',
  'storage.datastore': 'datastore',
  'storage.volume': 'volume',
  user: 'user',
  vault: 'vault',
  'vault.entry': 'vault entry',
};

/** Settings documents: the beginning of their actions, and whose they are. */
const SETTINGS: Readonly<Record<string, string>> = {
  'certificate-authority': 'certificate authority',
  dhcp: 'DHCP',
  'dns-dhcp': 'DNS',
  firewall: 'firewall',
  kms: 'key management',
  ldap: 'LDAP',
  network: 'network',
  'network-boot': 'network boot',
  ntp: 'NTP',
  oidc: 'OpenID Connect',
  'private-cloud-services': 'offline depot',
  remote: 'remote connection',
  storage: 'storage',
  'web-terminal': 'web terminal',
};

const OTHERS: Readonly<Record<string, string>> = {
  'archive.create': 'Made an archive',
  'archive.delete': 'Deleted an archive',
  'archive.restore': 'Restored an archive',
  'archive.schedule.copy': 'Copied an archive to its targets',
  'archive.schedule.run': 'Began an archive of the schedule',
  'archive.schedule.update': 'Changed the schedule of archives',
  'archive.target.create': 'Added a target of archives',
  'archive.target.delete': 'Deleted a target of archives',
  'archive.target.look': 'Looked at the host key of a target of archives',
  'archive.target.test': 'Tested a target of archives',
  'archive.target.trust': 'Confirmed the host key of a target of archives',
  'archive.target.update': 'Changed a target of archives',
  'archive.upload': 'Uploaded an archive',
  'archive.upload.begin': 'Began to upload an archive',
  'archive.upload.expired': 'Deleted an archive whose upload nobody went on with',
  'account.password': 'Changed own password',
  'account.sessions.end': 'Ended own other sessions',
  'appliance.reset': 'Reset the appliance to its first start',
  'apply.cancelled': 'Stopped an apply',
  'apply.failed': 'Apply failed',
  'apply.reverted': 'Rolled a plan back',
  'apply.succeeded': 'Applied a plan',
  'certificate.issue': 'Issued a certificate',
  'certificate.profile.update': 'Changed a certificate profile',
  'certificate.release': 'Took a certificate off hold',
  'certificate.request.approve': 'Approved a certificate request',
  'certificate.request.create': 'Asked for a certificate',
  'certificate.request.refuse': 'Refused a certificate request',
  'certificate.revoke': 'Revoked a certificate',
  'certificate.root.create': 'Made a root certificate',
  'certificate.root.export': 'Exported the root certificate with its key',
  'certificate.root.import': 'Imported a root certificate',
  'certificate.root.next': 'Made the next root certificate',
  'certificate.root.discard': 'Discarded the next root certificate',
  'certificate.root.take_over': 'Let the next root certificate sign',
  'data.restore': 'Put back a snapshot',
  'data.snapshot': 'Made a snapshot',
  'depot.appliance.delete': 'Deleted an appliance file',
  'depot.software_depot_id.generate': 'Generated a software depot ID',
  'depot.upload.begin': 'Began an upload to the depot',
  'depot.upload.complete': 'Sent an upload to the depot',
  'depot.upload.delete': 'Deleted an upload',
  'depot.upload.expired': 'Deleted an upload that nobody went on with',
  'depot.upload.done': 'Finished an upload to the depot',
  'depot.upload.failed': 'Upload to the depot failed',
  'dhcp.legacy_apply': 'Checked the DHCP configuration',
  'dhcp.legacy-binding.update': 'Changed the DHCP legacy binding',
  'dhcp.reservation.delete_many': 'Deleted DHCP reservations',
  'dhcp.reservation.switch_many': 'Enabled or disabled DHCP reservations',
  'dns.legacy_apply': 'Checked the DNS configuration',
  'dns.record.create_many': 'Added DNS records',
  'drift.compare': 'Compared the host',
  'network-boot.kickstart.reveal': 'Showed the text of a Kickstart',
  'probe.failed': 'Service stopped answering',
  'probe.passed': 'Service answers again',
  'drift.adopt': 'Adopted a change found on the host',
  'drift.found': 'Found a change on the host',
  'drift.gone': 'A change on the host is gone',
  'firewall.legacy_apply': 'Checked the firewall configuration',
  'job.cancel': 'Stopped a job',
  'job.continue': 'Continued a job',
  'network-boot.attempt.alarm': 'Wrong boot codes: alarm',
  'network-boot.attempt.authorize': 'Authorized a boot',
  'network-boot.attempt.burn': 'Ended a boot after wrong codes',
  'network-boot.attempt.consume': 'Gave a host its installation',
  'network-boot.attempt.revoke': 'Revoked a boot',
  'network-boot.attempt.start': 'A host asked to boot',
  'network-boot.attempt.wrong-code': 'Wrong boot code',
  'network-boot.medium.failed': 'Boot medium could not be read',
  'network-boot.medium.ready': 'Boot medium is ready',
  'network-boot.medium.upload': 'Uploaded a boot medium',
  'network.interface.refresh': 'Read the interfaces of the host',
  'plan.confirm': 'Confirmed a plan',
  'plan.create': 'Reviewed changes',
  'plan.extend': 'Extended a confirm window',
  'plan.restore': 'Restored a configuration',
  'plan.settle': 'Closed a plan',
  'plan.submit': 'Submitted a plan',
  'public_pages.settings.update': 'Changed the settings of the public pages',
  'remote.certificate.queue': 'Started to set up certificate trust',
  'remote.certificate.trust': 'Set up certificate trust',
  'remote.depot.configure': 'Set the depot of a remote appliance',
  'remote.depot.password': 'Checked a depot password',
  'remote.depot.queue': 'Started to set a remote depot',
  'remote.target.login': 'Logged in to a remote server',
  'remote.target.probe': 'Read a remote TLS certificate',
  'remote.target.trust': 'Confirmed a remote TLS certificate',
  'session.end': 'Signed out',
  'session.refuse': 'Sign-in failed',
  'session.start': 'Signed in',
  'token.create': 'Created an API token',
  'token.revoke': 'Revoked an API token',
  'vault.entry.reveal': 'Revealed a vault entry',
  'vault.entry.use': 'Used a vault entry',
  'vault.import': 'Imported vault entries',
  'vault.key.rotate': 'Rotated the vault key',
  'vcf-helper.deployment.check': 'Checked a deployment',
  'vcf-helper.deployment.end': 'Deployment ended',
  'vcf-helper.deployment.queue': 'Started a deployment',
  'vcf_helper.fqdns.create': 'Generated names',
  'vcf_helper.fqdns.delete': 'Deleted generated names',
  'window.clear': 'Cleared a damaged confirm window',
};

/** Action → what was done, as it begins a sentence: `Added DNS record`. */
export const ACTION_WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(THINGS).flatMap(([begin, thing]) =>
    (Object.keys(OF_THINGS) as Verb[]).map((verb): [string, string] => [
      `${begin}.${verb}`,
      `${OF_THINGS[verb]} ${thing}`,
    ]),
  ),
  ...Object.entries(SETTINGS).map(([begin, whose]): [string, string] => [
    `${begin}.settings.update`,
    `Changed ${whose} settings`,
  ]),
  ...Object.entries(OTHERS),
]);

/** What was done; the code itself where this program does not know it. */
export const actionWords = (action: string): string => ACTION_WORDS.get(action) ?? action;

/** Codes of the actions whose words contain every one of those typed. */
export function actionsSaying(typed: string): string[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return [...ACTION_WORDS].flatMap(([action, words]) =>
    wanted.every((word) => words.toLowerCase().includes(word)) ? [action] : [],
  );
}

/** Type of a resource → its name; in the order of the names. */
export const RESOURCE_WORDS: Readonly<Record<string, string>> = {
  token: 'API token',
  network_boot_medium: 'boot medium',
  boot_attempt: 'boot attempt',
  certificate: 'certificate',
  certificate_authority: 'root certificate',
  certificate_profile: 'certificate profile',
  certificate_request: 'certificate request',
  storage_datastore: 'datastore',
  depot_identity: 'software depot ID',
  appliance: 'appliance',
  'depot.appliance': 'appliance file',
  'depot.upload': 'depot upload',
  depot_user: 'depot user',
  dhcp_option: 'DHCP option',
  dhcp_reservation: 'DHCP reservation',
  dhcp_scope: 'DHCP scope',
  dns_record: 'DNS record',
  dns_zone: 'DNS zone',
  firewall_rule: 'firewall rule',
  interface: 'interface',
  job: 'job',
  network_boot_kickstart: 'Kickstart',
  network_boot_host: 'network boot host',
  ntp_source: 'NTP source',
  plan: 'plan',
  public_pages_settings: 'public pages settings',
  remote_settings: 'remote connection settings',
  remote_target: 'remote server',
  session: 'session',
  unit_settings: 'settings',
  unit: 'unit',
  user: 'user',
  vault: 'vault',
  vault_entry: 'vault entry',
  archive: 'archive',
  archive_schedule: 'schedule of archives',
  archive_target: 'target of archives',
  vault_key: 'vault key',
  vlan: 'VLAN',
  storage_volume: 'volume',
};

export const resourceWords = (type: string): string => RESOURCE_WORDS[type] ?? type.replaceAll('_', ' ');

/** What acts by itself, by the name that its events carry. */
const PARTS: Readonly<Record<string, string>> = {
  apply: 'Appliance apply',
  'archive-schedule': 'Schedule of archives',
  'appliance-deployment': 'Deployment',
  'certificate-authority': 'Certificate authority',
  depot: 'Offline depot',
  drift: 'Comparison with the host',
  media: 'Unpacking of media',
  'network boot': 'Network boot',
  start: 'Start of the service',
  ticker: 'Clock of the service',
  'vault-rotate': 'Key rotation',
};

/** Who did it; a part of the appliance by what people call it, with whoever began its job. */
export function actorWords({ kind, name }: { kind: string; name: string }): string {
  if (kind !== 'system') return name;
  const [, part = name, by = ''] = /^(.*?)( \(.*\))?$/.exec(name) ?? [];
  return (PARTS[part] ?? part.replaceAll('-', ' ')) + by;
}
