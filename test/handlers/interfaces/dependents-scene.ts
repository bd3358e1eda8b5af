// The scene of the tests of the dependent refresh: a management link, an access link with both families, and a trunk
// with two VLANs; every service, scope and datastore is made by the test itself, over the API.
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { ObservedLink } from '../../../shared/ground/machine/host.ts';
import { type Credentials, type Heard, House, LINKS } from '../../setup/house.ts';

export const SERVICES = {
  dns: 'dns-dhcp',
  ntp: 'ntp',
  ca: 'certificate-authority',
  kms: 'kms',
  ldap: 'ldap',
  oidc: 'oidc',
  depot: 'private-cloud-services',
  boot: 'network-boot',
  terminal: 'web-terminal',
} as const;
export type Service = keyof typeof SERVICES;

/** Cleared in this order before each test. */
const TABLES = [
  'dns_record',
  'dhcp_option',
  'dhcp_reservation',
  'dhcp_scope',
  'network_boot_host',
  'storage_datastore',
  'storage_volume',
  'ntp_source',
  'dns_zone',
  'unit_settings',
];

export class Scene {
  readonly statements: string[] = [];
  /** What the host reports when it is looked at. */
  links: ObservedLink[] = LINKS;
  house!: House;
  admin!: Credentials;

  send(method: string, path: string, body?: unknown, query = ''): Promise<Heard> {
    const send = { token: this.admin.token, ...(body !== undefined && { body }) };
    return this.house.send(method, `/api/v1/${path}${query}`, send);
  }

  /** Sends what must succeed; answers the body. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
  async save(method: string, path: string, body?: unknown): Promise<any> {
    const heard = await this.send(method, path, body);
    if (heard.status >= 300) throw new Error(`${method} ${path} answered ${heard.status}: ${heard.text}`);
    return heard.body;
  }

  edit(name: string, body: unknown, query = ''): Promise<Heard> {
    return this.send('PATCH', `interfaces/physical/${name}`, body, query);
  }

  /** Switches services on, each on the given interfaces. */
  async listen(services: readonly Service[], listen_interfaces: string[], more: object = {}): Promise<void> {
    for (const service of services) {
      await this.save('PATCH', `${SERVICES[service]}/settings`, { enabled: true, listen_interfaces, ...more });
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: settings of every service.
  async settings(service: Service): Promise<any> {
    return (await this.send('GET', `${SERVICES[service]}/settings`)).body;
  }

  /** An enabled scope on the access link, unless said otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: a scope as answered.
  scope(more: object = {}): Promise<any> {
    return this.save('POST', 'dhcp/scopes', {
      name: 'lab',
      address_family: 'ipv4',
      interface: 'ens224',
      subnet_cidr: '192.168.10.0/24',
      ranges: [{ start: '192.168.10.100', end: '192.168.10.200' }],
      ...more,
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: a reservation as answered.
  reservation(hostname: string, ip_address: string, more: object = {}): Promise<any> {
    const mac = ip_address
      .split(/[.:]/)
      .slice(-2)
      .map((part) => Number(part).toString(16).padStart(2, '0'))
      .join(':');
    return this.save('POST', 'dhcp/reservations', { hostname, ip_address, mac_address: `02:00:00:00:${mac}`, ...more });
  }

  /** Everything that is saved, but for the history: what a refused edit must leave as it is. */
  async dump(): Promise<string> {
    const { store } = this.house.services;
    const tables = ['interface', ...TABLES];
    return JSON.stringify(await Promise.all(tables.map((table) => store.all(`SELECT * FROM ${table} ORDER BY 1`))));
  }

  /** Sends an edit that must be refused by its dependents; answers the blockers. Nothing may have changed. */
  async refused(
    attempt: () => Promise<Heard>,
  ): Promise<{ subject: string; reason: string; page: string; unblock: string }[]> {
    const before = await this.dump();
    const heard = await attempt();
    expect([heard.status, heard.body?.error_code]).toEqual([409, 'dependents_refuse']);
    expect(await this.dump()).toBe(before);
    return heard.body.blockers;
  }
}

/** Opens a house for the test file and puts it back to the scene before each test. */
export function setScene(): Scene {
  const scene = new Scene();
  beforeAll(async () => {
    scene.house = await House.open({
      observe: (sql) => void scene.statements.push(sql),
      ticker: false,
      host: (rehearsal) => ({ ...rehearsal, links: async () => scene.links }),
    });
    scene.admin = await scene.house.actor('admin');
  });
  afterAll(() => scene.house.close());
  beforeEach(async () => {
    await scene.house.services.store.write(async (tx) => {
      await tx.run("DELETE FROM interface WHERE kind = 'vlan'");
      for (const table of TABLES) await tx.run(`DELETE FROM ${table}`);
      await tx.run(
        `UPDATE interface SET role = 'access', mode = 'access', ipv4_method = 'static', ipv4_cidr = '', ipv4_gateway = '',
           ipv6_enabled = 0, ipv6_cidr = '', ipv6_gateway = '', mtu = 1500, enabled = 1, access_management_ui_enabled = 0,
           revision = 3`,
      );
      await tx.run("UPDATE interface SET role = 'management', ipv4_cidr = '10.10.0.5/24' WHERE name = 'ens192'");
      await tx.run(
        "UPDATE interface SET ipv4_cidr = '192.168.10.2/24', ipv6_enabled = 1, ipv6_cidr = 'fd00:20::2/64' WHERE name = 'ens224'",
      );
      await tx.run("UPDATE interface SET mode = 'trunk', role = 'unused' WHERE name = 'ens256'");
      for (const number of [20, 30]) {
        await tx.run(
          `INSERT INTO interface (name, id, kind, parent_interface, vlan_id, role, ipv4_cidr, enabled, revision, updated_at)
           VALUES ('ens256.' || ?1, 'vlan_' || ?1, 'vlan', 'ens256', ?1, 'access', '172.16.' || ?1 || '.2/24', 1, 3,
             '2026-01-01T00:00:00.000Z')`,
          [number],
        );
      }
    });
  });
  return scene;
}
