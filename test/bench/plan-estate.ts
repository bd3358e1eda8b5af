// A large estate as rows: VLANs with a scope each, reservations in them, records. What is measured is planning, so that
// the rows are written as they would be stored.

import { refreshInterfaces } from '../../shared/appliance/edits/refresh-interfaces.ts';
import type { ObservedLink } from '../../shared/ground/machine/host.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

const THEN = '2026-01-01T00:00:00.000Z';

export interface Estate {
  records: number;
  reservations: number;
  vlans: number;
}

const link = (name: string, at: number, ipv4_cidrs: string[]): ObservedLink => ({
  ...{ name, mac_address: `00:50:56:9c:0a:0${at}`, driver: 'vmxnet3', speed_mbps: 10_000, mtu: 1500, link: 'up' },
  ...{ ipv4_cidrs, ipv6_cidrs: [], vlan: null },
});

/** Makes an appliance without interfaces into one of two NICs: management, and a trunk with all the rest. */
export async function sowEstate(
  services: Pick<Services, 'store' | 'clock' | 'entropy'>,
  { records, reservations, vlans }: Estate,
): Promise<void> {
  const list = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => at));
  const network = (at: string) => `'10.' || (20 + ${at} / 250) || '.' || (${at} % 250)`;
  await services.store.write(async (tx) => {
    await refreshInterfaces(tx, services, [link('ens192', 1, ['10.10.0.5/24']), link('ens224', 2, [])]);
    await tx.run("UPDATE interface SET mode = 'trunk', role = 'unused', enabled = 1 WHERE name = 'ens224'");
    await tx.run(
      `INSERT INTO interface (name, id, kind, parent_interface, vlan_id, role, mode, enabled, ipv4_cidr, updated_at)
       SELECT 'ens224.' || (value + 100), 'vlan_' || value, 'vlan', 'ens224', value + 100, 'access', 'access', 1,
         ${network('value')} || '.1/24', ?1 FROM json_each(?2)`,
      [THEN, list(vlans)],
    );
    const settings = { enabled: true, listen_interfaces: Array.from({ length: 4 }, (_, at) => `ens224.${at + 100}`) };
    const documents = {
      'dns-dhcp': settings,
      ntp: settings,
      dhcp: { enabled: true, authoritative: true, lease_time: 3600 },
    };
    await tx.run(
      'INSERT INTO unit_settings (unit, document, updated_at) SELECT key, json(value), ?1 FROM json_each(?2)',
      [THEN, JSON.stringify(documents)],
    );
    await tx.run(
      `INSERT INTO dhcp_scope (id, name, address_family, interface, subnet_cidr, ranges, gateway, dns_servers, ntp_servers,
         lease_time, domain, created_at, updated_at)
       SELECT 'scope_' || value, 'vlan ' || (value + 100), 'ipv4', 'ens224.' || (value + 100), ${network('value')} || '.0/24',
         json_array(json_object('start', ${network('value')} || '.128', 'end', ${network('value')} || '.250')),
         ${network('value')} || '.1', '[]', '[]', 3600, 'lab.example', ?1, ?1 FROM json_each(?2)`,
      [THEN, list(vlans)],
    );
    await tx.run(
      `INSERT INTO dhcp_reservation (id, hostname, mac_address, address_family, ip_address, created_at, updated_at)
       SELECT 'resv_' || value, 'esx' || value, printf('02:00:00:00:%02x:%02x', value / 256, value % 256), 'ipv4',
         ${network(`(value % ${vlans})`)} || '.' || (2 + value / ${vlans}), ?1, ?1 FROM json_each(?2)`,
      [THEN, list(reservations)],
    );
    await tx.run("INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES ('zone_a', 'lab.example', ?1, ?1)", [
      THEN,
    ]);
    await tx.run(
      `INSERT INTO dns_record (id, fqdn, type, value, zone_id, created_at, updated_at)
       SELECT 'rec_' || value, 'host' || value || '.lab.example', 'A', '10.' || (100 + value / 62500) || '.' ||
         (value / 250 % 250) || '.' || (1 + value % 250), 'zone_a', ?1, ?1 FROM json_each(?2)`,
      [THEN, list(records)],
    );
  });
}
