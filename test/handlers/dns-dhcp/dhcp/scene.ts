// The scene of the tests of DHCP: what is saved before each, and what a row of a scenario table says.
import { expect } from '@jest/globals';
import type { House } from '../../../setup/house.ts';

export const AT = '2026-01-01T00:00:00.000Z';
export const SCOPES = '/api/v1/dhcp/scopes';
export const OPTIONS = '/api/v1/dhcp/options';
export const RESERVATIONS = '/api/v1/dhcp/reservations';
export const LEGACY = '/api/v1/dhcp/legacy-binding';

/**
 * ens192 has 10.10.0.5/24, ens224 10.20.0.1/24 and fd00:20::1/64, ens256 is unused. Scope `lab` serves ens224, `spare` is
 * off. The zones are lab.test and other.test, the domain of the name service, which listens on ens224, is other.test.
 */
export async function furnishDhcp(house: House): Promise<void> {
  const tables = ['dhcp_option', 'dhcp_reservation', 'dhcp_scope', 'dns_record', 'dns_zone', 'unit_settings'];
  const json = JSON.stringify;
  const scope = `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers,
    ntp_servers, lease_time, domain, enabled, created_at, updated_at, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    '${AT}', '${AT}', 3)`;
  const reservation = `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, owner_source,
    owner_ref, owner_component, enabled, created_at, updated_at, revision)
    VALUES (?, ?, ?, 'ipv4', ?, ?, ?, ?, 1, '${AT}', '${AT}', 3)`;
  const ranges = json([{ start: '10.20.0.100', end: '10.20.0.199' }]);
  await house.services.store.write(async (tx) => {
    for (const table of tables) await tx.run(`DELETE FROM ${table}`);
    await tx.run(
      `UPDATE interface SET role = 'access', mode = 'access', ipv4_cidr = '10.20.0.1/24', ipv6_enabled = 1,
         ipv6_cidr = 'fd00:20::1/64', enabled = 1 WHERE name = 'ens224'`,
    );
    await tx.run("UPDATE interface SET ipv6_enabled = 0, ipv6_cidr = '' WHERE name = 'ens192'");
    await tx.run(
      `INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_lab', 'lab.test', '${AT}', '${AT}'),
         ('zone_other', 'other.test', '${AT}', '${AT}')`,
    );
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       VALUES ('rec_vc', 'vc01.lab.test', 'A', '10.20.0.20', 'zone_lab', '${AT}', '${AT}')`,
    );
    await tx.run(scope, [
      ...['scope_lab', 'lab', 'ipv4', 'ens224', '10.20.0.0/24', ranges, '10.20.0.254', '[]', '[]', 600, 'lab.test', 1],
    ]);
    await tx.run(scope, [...['scope_spare', 'spare', 'ipv4', '', '10.30.0.0/24', '[]', '', '[]', '[]', 600, '', 0]]);
    await tx.run(
      `INSERT INTO dhcp_option (id, scope_id, code, address_family, value, created_at, updated_at)
       VALUES ('option_tftp', 'scope_lab', 66, 'ipv4', 'tftp.lab.test', '${AT}', '${AT}')`,
    );
    await tx.run(reservation, ['resv_esx', 'esx01', '00:50:56:01:00:01', '10.20.0.11', null, null, null]);
    await tx.run(reservation, [
      ...['resv_host', 'esx02', '00:50:56:01:00:02', '10.20.0.12', 'network_boot_host', 'host_two', 'esx02'],
    ]);
    const listening = { enabled: true, listen_interfaces: ['ens224'], domain: 'other.test' };
    await tx.run(
      `INSERT INTO unit_settings (unit, document, updated_at) VALUES ('dns-dhcp', ?, '${AT}'), ('dhcp', ?, '${AT}')`,
      [json(listening), json({ enabled: true, lease_time: 7200 })],
    );
  });
}

export interface Scenario {
  name: string;
  send: [method: string, target: string, body?: unknown, headers?: Record<string, string>];
  /** Role of the caller; admin where it says nothing. */
  by?: 'viewer' | 'network-admin';
  status: number;
  /** What the answer holds at least. */
  holds?: Record<string, unknown>;
  /** Pointers of a refusal. */
  pointers?: string[];
  audited?: string[];
}

export const code = (error_code: string) => ({ error_code });
export const items = (...wanted: Record<string, unknown>[]) => ({
  items: wanted.map((each) => expect.objectContaining(each)),
});
export const blockers = (...wanted: Record<string, unknown>[]) => ({
  blockers: wanted.map((each) => expect.objectContaining(each)),
});
