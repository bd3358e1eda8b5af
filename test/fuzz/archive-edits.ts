// Random edits of all that an archive has, over the API of a furnished appliance: what is saved then is what its rules
// take. An edit that they refuse is none.
import type { Credentials, House } from '../setup/house.ts';
import { plainRequest } from '../setup/signing-request.ts';
import { identityEdits } from './archive-identity-edits.ts';
import type { Dice } from './world-dice.ts';

export type Edit = [method: string, path: string, body?: unknown];

/** Texts of people, with what has to be escaped in JSON, and in none. */
const WORDS = ['', 'Rack 2, unit 11', 'Größe: 19″', '"quoted" \\ and back', '機房 🛰', '𝔘 at the end', "O'Neill; --"];
const KICKSTART = (last: string): string =>
  `vmaccepteula\ninstall --firstdisk=local --overwritevmfs\nrootpw --iscrypted {{ var.root_password_hash }}\n${last}\nreboot\n`;

export class Editor {
  readonly house: House;
  readonly #admin: Credentials;
  readonly dice: Dice;
  /** Tables that an edit of was accepted. */
  readonly #changed: Set<string>;

  constructor(house: House, admin: Credentials, dice: Dice, changed: Set<string>) {
    this.#changed = changed;
    this.house = house;
    this.#admin = admin;
    this.dice = dice;
  }

  /** False when the rules refuse it. */
  async edit(): Promise<boolean> {
    const [table, make] = this.dice.pick(Object.entries(this.#edits));
    const [method, path, body] = await make();
    const sent = { token: this.#admin.token, ...(body !== undefined && { body }) };
    const { status, text } = await this.house.send(method, `/api/v1/${path}`, sent);
    if (process.env.EDITS && status >= 400)
      process.stderr.write(`${table} ${method} ${path} ${status} ${text.slice(0, 300)}\n`);
    if (status >= 500) throw new Error(`${method} ${path}: ${status} ${text}`);
    if (status < 300 && method !== 'GET') this.#changed.add(table.split(' ')[0]!);
    return status < 300;
  }

  async one(table: string, where = 'true'): Promise<string> {
    const rows = await this.house.services.store.all<{ id: string }>(
      `SELECT id FROM ${table} WHERE ${where} ORDER BY id`,
    );
    return rows.length === 0 ? 'none' : this.dice.pick(rows).id;
  }

  get number(): number {
    return 2 + this.dice.below(240);
  }
  get words(): string {
    return this.dice.pick(WORDS);
  }

  /** Table, and what else tells them apart → an edit. */
  readonly #edits: Readonly<Record<string, () => Promise<Edit>>> = {
    ...identityEdits(this),
    vault: async () => ['POST', 'vaults', { name: `v${this.number}`, description: this.words }],
    'vault changed': async () => ['PATCH', `vaults/${await this.one('vault')}`, { description: this.words }],
    'vault removed': async () => ['DELETE', `vaults/${await this.one('vault', "name LIKE 'v%'")}`],
    vault_entry: async () => [
      'POST',
      `vaults/${await this.one('vault')}/entries`,
      {
        key: `k${this.number}`,
        username: this.dice.pick(['root', 'administrator@vsphere.local']),
        ...(this.dice.chance(0.8) && { value: `${this.words} of ${this.number}` }),
        description: this.words,
      },
    ],
    'interface physical': async () => [
      'PATCH',
      'interfaces/physical/ens224',
      { ipv4_cidr: `192.168.${this.number}.2/24`, mtu: 1500 + this.number },
    ],
    'interface vlan': async () => [
      'POST',
      'vlans',
      { parent_interface: 'ens256', vlan_id: 100 + this.number, ipv4_cidr: `10.99.${this.number}.1/24` },
    ],
    'interface moved': async () => [
      'PATCH',
      `vlans/${await this.one('interface', "kind = 'vlan'")}`,
      { ipv4_cidr: `172.16.${this.number}.2/24` },
    ],
    'interface removed': async () => [
      'DELETE',
      `vlans/${await this.one('interface', "kind = 'vlan' AND vlan_id > 99")}`,
    ],
    firewall_rule: async () => [
      'POST',
      'firewall/rules',
      {
        name: `rule ${this.number}`,
        action: this.dice.pick(['drop', 'accept', 'reject']),
        source_cidr: `10.0.${this.number}.0/24`,
        description: this.words,
      },
    ],
    'firewall_rule changed': async () => [
      'PATCH',
      `firewall/rules/${await this.one('firewall_rule')}`,
      { position: 1 + this.dice.below(6), enabled: this.dice.chance(0.5) },
    ],
    'firewall_rule removed': async () => ['DELETE', `firewall/rules/${await this.one('firewall_rule')}`],
    dns_zone: async () => ['POST', 'dns/zones', { name: `z${this.number}.lab.example`, description: this.words }],
    'dns_zone removed': async () => ['DELETE', `dns/zones/${await this.one('dns_zone', "name LIKE 'z%'")}`],
    dns_record: async () => [
      'POST',
      'dns/records',
      { fqdn: `h${this.number}.lab.example`, type: 'A', value: `172.16.20.${this.number}` },
    ],
    'dns_record text': async () => [
      'POST',
      'dns/records',
      { fqdn: `t${this.number}.lab.example`, type: 'TXT', value: `a=${this.number}; "b" \\ c` },
    ],
    'dns_record alias': async () => [
      'POST',
      'dns/records',
      { fqdn: `c${this.number}.z${this.number}.lab.example`, type: 'CNAME', value: 'vc01.lab.example' },
    ],
    'dns_record removed': async () => ['DELETE', `dns/records/${await this.one('dns_record')}`],
    dhcp_scope: async () => [
      'PATCH',
      `dhcp/scopes/${await this.one('dhcp_scope')}`,
      { lease_time: 600 + this.number, enabled: this.dice.chance(0.7) },
    ],
    dhcp_option: async () => [
      'POST',
      'dhcp/options',
      {
        code: this.dice.pick([15, 26, 42, 66, 67, 119]),
        value: this.dice.pick(['1500', 'lab.example', '172.16.20.9', 'undionly.kpxe']),
        ...(this.dice.chance(0.5) && { scope_id: await this.one('dhcp_scope', "subnet_cidr NOT LIKE '%:%'") }),
      },
    ],
    'dhcp_option removed': async () => ['DELETE', `dhcp/options/${await this.one('dhcp_option')}`],
    dhcp_reservation: async () => [
      'POST',
      'dhcp/reservations',
      {
        hostname: `r${this.number}`,
        mac_address: `00:50:56:0b:00:${String(10 + this.dice.below(90))}`,
        ip_address: `172.16.20.${this.number}`,
        register_dns: this.dice.chance(0.5),
      },
    ],
    'dhcp_reservation moved': async () => [
      'PATCH',
      `dhcp/reservations/${await this.one('dhcp_reservation')}`,
      { ip_address: `172.16.20.${this.number}` },
    ],
    'dhcp_reservation removed': async () => ['DELETE', `dhcp/reservations/${await this.one('dhcp_reservation')}`],
    ntp_source: async () => [
      'POST',
      'ntp/sources',
      { address: `time${this.number}.lab.example`, prefer: this.dice.chance(0.3), description: this.words },
    ],
    'ntp_source removed': async () => ['DELETE', `ntp/sources/${await this.one('ntp_source')}`],
    issued_certificate: async () => [
      'POST',
      'certificate-authority/certificates',
      { csr: plainRequest().csr, profile: 'vmware', names: [`vc${this.number}.lab.example`] },
    ],
    'issued_certificate revoked': async () => [
      'POST',
      `certificate-authority/certificates/${await this.one('issued_certificate')}/revoke`,
      { revocation_reason: 'superseded' },
    ],
    certificate_profile: async () => [
      'PATCH',
      'certificate-authority/profiles/server',
      { allowed_names: ['*.lab.example', `10.${this.number}.0.0/16`] },
    ],
    certificate_request: async () => [
      'POST',
      'certificate-authority/requests',
      { csr: plainRequest().csr, profile: 'vmware', note: this.words },
    ],
    depot_identity: async () => ['POST', 'private-cloud-services/software-depot-id', { confirm: true }],
    depot_user: async () => [
      'DELETE',
      `private-cloud-services/http-users/${await this.one('depot_user', "name <> 'sddc-manager'")}`,
    ],
    'depot_user added': async () => [
      'POST',
      'private-cloud-services/http-users',
      { name: `reader${this.dice.below(4)}`, password: 'a password of the depot' },
    ],
    storage_volume: async () => [
      'POST',
      'storage/volumes',
      { name: `disk${this.number}`, device: `/dev/disk/by-id/nvme-eui.36000c29e5f1b8${this.number}` },
    ],
    'storage_volume removed': async () => ['DELETE', `storage/volumes/${await this.one('storage_volume')}`],
    storage_datastore: async () => [
      'POST',
      'storage/datastores',
      {
        volume_id: await this.one('storage_volume'),
        interface: this.dice.pick(['ens224', 'ens256.20']),
        address_families: ['ipv4'],
        name: `ds${this.number}`,
        ipv4_clients: [`10.0.${this.number}.0/24`],
        enabled: this.dice.chance(0.5),
        description: this.words,
      },
    ],
    'storage_datastore removed': async () => ['DELETE', `storage/datastores/${await this.one('storage_datastore')}`],
    network_boot_kickstart: async () => [
      'POST',
      'network-boot/kickstarts',
      { name: `ks ${this.number}`, text: KICKSTART(`# ${this.words}`) },
    ],
    network_boot_medium: async () => [
      'PATCH',
      `network-boot/media/${await this.one('network_boot_medium')}`,
      { description: this.words },
    ],
    network_boot_host: async () => [
      'POST',
      'network-boot/esxi-hosts',
      {
        hostname: `esx${this.number}.lab.example`,
        mac_address: `00:50:56:02:00:${String(10 + this.dice.below(90))}`,
        ...(this.dice.chance(0.5) && { ip_address: `172.16.20.${this.number}` }),
        ...(this.dice.chance(0.5) && {
          kickstart_id: await this.one('network_boot_kickstart'),
          variables: { root_password_hash: `$6$rounds=4096$lab$${this.number}` },
        }),
      },
    ],
    'network_boot_host removed': async () => [
      'DELETE',
      `network-boot/esxi-hosts/${await this.one('network_boot_host')}`,
    ],
    unit_settings: async () => ['PATCH', 'dns-dhcp/settings', { ttl_seconds: 60 + this.number }],
    'unit_settings ntp': async () => ['PATCH', 'ntp/settings', { hostname: `clock${this.number}.lab.example` }],
    'unit_settings dhcp': async () => ['PATCH', 'dhcp/settings', { authoritative: this.dice.chance(0.5) }],
    'unit_settings network': async () => ['PATCH', 'network/settings', { dns_servers: [`10.10.0.${this.number}`] }],
  };
}
