// The scene of the tests of interfaces: three links as discovered, ens256 a trunk with VLAN 20.
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { ObservedLink } from '../../../shared/ground/machine/host.ts';
import { type Credentials, House, LINKS } from '../../setup/house.ts';

export const PHYSICAL = '/api/v1/interfaces/physical';
export const VLANS = '/api/v1/vlans';
export const ACCESS = { role: 'access', ipv4_cidr: '192.168.10.2/24' };

/** Tables whose rows depend on interfaces. */
const DEPENDENT = [
  'unit_settings',
  'dhcp_reservation',
  'dhcp_scope',
  'storage_datastore',
  'storage_volume',
  'dns_record',
  'dns_zone',
];

export class Scene {
  links: ObservedLink[] = LINKS;
  readonly statements: string[] = [];
  house!: House;
  admin!: Credentials;
  viewer!: Credentials;
  service!: Credentials;
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
    scene.viewer = await scene.house.actor('viewer');
    scene.service = await scene.house.actor('service-admin');
  });
  afterAll(() => scene.house.close());
  beforeEach(async () => {
    scene.links = LINKS;
    await scene.house.services.store.write(async (tx) => {
      await tx.run("DELETE FROM interface WHERE kind = 'vlan'");
      for (const table of DEPENDENT) await tx.run(`DELETE FROM ${table}`);
      await tx.run(
        `UPDATE interface SET role = 'unused', mode = 'access', ipv4_method = 'static', ipv4_cidr = '', ipv4_gateway = '',
           ipv6_enabled = 0, ipv6_cidr = '', ipv6_gateway = '', mtu = 1500, enabled = 1, access_management_ui_enabled = 0,
           present = 1,           revision = 3`,
      );
      await tx.run("UPDATE interface SET role = 'management', ipv4_cidr = '10.10.0.5/24' WHERE name = 'ens192'");
      await tx.run("UPDATE interface SET mode = 'trunk' WHERE name = 'ens256'");
      await tx.run(
        `INSERT INTO interface (name, id, kind, parent_interface, vlan_id, role, ipv4_cidr, enabled, revision, updated_at)
         VALUES ('ens256.20', 'vlan_a', 'vlan', 'ens256', 20, 'access', '172.16.20.2/24', 1, 3, '2026-01-01T00:00:00.000Z')`,
      );
    });
  });
  return scene;
}
