// Services, their names and records, and datastores of a random world.

import { SERVICE_DEPENDENTS } from '../../shared/appliance/dependents.ts';
import { networkOf } from '../../shared/ground/addresses/address.ts';
import type { Row } from '../../shared/ground/store/database.ts';
import type { AddressFamily } from '../../shared/platform/interfaces/refresh/snapshot.ts';
import { addressesOn, carriesService } from '../../shared/platform/interfaces/refresh/standing.ts';
import { type Dice, FAMILIES } from './world-dice.ts';
import { type Making, THEN, type World } from './worlds.ts';

export const names = ({ interfaces }: Making): string[] => interfaces.map(({ name }) => name);
const carriers = (making: Making): string[] =>
  names(making).filter((name) => carriesService(making.standing.get(name)!));

export const settingsRow = (unit: string, document: object): Row => ({
  unit,
  document: JSON.stringify(document),
  revision: 3,
  updated_at: THEN,
});

export function addServices(making: Making): void {
  const { dice, standing, world } = making;
  for (const { key, hostname, urls = [], clients = [], lastBinding } of SERVICE_DEPENDENTS) {
    if (dice.chance(0.25)) continue;
    const able = carriers(making);
    const enabled = able.length > 0 && dice.chance(0.7);
    const chosen = enabled ? dice.some(able, 0.5) : dice.some(names(making), 0.3);
    if (enabled && chosen.length === 0 && lastBinding === 'refuse') chosen.push(dice.pick(able));
    if (enabled && dice.chance(0.05)) chosen.push(...names(making).filter((name) => !able.includes(name)));
    const listen_addresses = addressesOn(chosen, standing);
    const document: Record<string, unknown> = { enabled, listen_interfaces: chosen, listen_addresses };
    if (hostname !== undefined) document[hostname] = hostName(dice, key);
    for (const member of urls) document[member] = urlOf(dice, listen_addresses);
    for (const member of clients) document[member] = clientsOf(making, 'ipv4');
    world.unit_settings.push(settingsRow(key, document));
    if (dice.chance(0.1) && document.hostname) addOperatorRecord(world, String(document.hostname), '10.250.0.1');
  }
  world.unit_settings.push(settingsRow('network', { hostname: 'gc01.lab.test', dns_servers: ['10.10.0.1'] }));
}

const hostName = (dice: Dice, key: string): string =>
  dice.pick([
    '',
    `${key}.lab.test`,
    `${key}.lab.test`,
    `${key}.sub.lab.test`,
    'shared.lab.test',
    `${key}.elsewhere.test`,
  ]);

function urlOf(dice: Dice, own: readonly string[]): string {
  const hosts = ['10.250.0.9', 'boot.lab.test', ...own.map((text) => (text.includes(':') ? `[${text}]` : text))];
  return dice.chance(0.3) ? '' : `https://${dice.pick(hosts)}:8443/${dice.pick(['', 'a', 'a/b?c=d'])}`;
}

function clientsOf({ dice, standing }: Making, family: AddressFamily): string[] {
  const own = [...standing.values()].flatMap(({ networks }) => (networks[family] ? [networkOf(networks[family])] : []));
  return dice.chance(0.3) ? dice.some(own, 0.4) : [];
}

/** False when there is such a record already. */
export function addOperatorRecord(world: World, fqdn: string, value: string): boolean {
  const type = value.includes(':') ? 'AAAA' : 'A';
  return addRecord(world, { fqdn, type, value });
}

export function addRecord(world: World, record: Row): boolean {
  const same = (other: Row) => other.fqdn === record.fqdn && other.type === record.type && other.value === record.value;
  const zone = world.dns_zone.findLast(({ name }) => String(record.fqdn).endsWith(`.${name}`));
  if (!zone || world.dns_record.some(same)) return false;
  const id = `rec_${world.dns_record.length}`;
  const nobody = { owner_source: null, owner_ref: null, owner_component: null };
  world.dns_record.push({ id, zone_id: zone.id!, ...nobody, ...record, created_at: THEN, updated_at: THEN });
  return true;
}

export function addDatastores(making: Making): void {
  const { dice, world, standing, interfaces } = making;
  const kept = { created_at: THEN, updated_at: THEN };
  world.storage_volume.push({ id: 'vol_0', name: 'vol', device: 'disk-0', mount_path: '/mnt/vol', ...kept });
  const count = dice.pick([0, 1, 1, 2, 3]);
  for (let at = 0; at < count; at++) {
    const { name } = dice.pick(interfaces);
    const on = standing.get(name)!;
    const able = carriesService(on) ? FAMILIES.filter((family) => on.families.has(family)) : [];
    const enabled = able.length > 0 && dice.chance(0.8);
    const families = dice.some(enabled ? able : FAMILIES, 0.7);
    if (families.length === 0) families.push(enabled ? able[0]! : 'ipv4');
    const addresses = on.addresses.filter((text) => families.includes(text.includes(':') ? 'ipv6' : 'ipv4'));
    world.storage_datastore.push({
      id: `ds_${at}`,
      name: `ds${at}`,
      volume_id: 'vol_0',
      path: `ds${at}`,
      nfs_version: '4.1',
      interface: name,
      address_families: JSON.stringify(families),
      addresses: JSON.stringify(addresses),
      ipv4_clients: JSON.stringify(clientsOf(making, 'ipv4')),
      ipv6_clients: JSON.stringify(clientsOf(making, 'ipv6')),
      enabled: Number(enabled),
      ...kept,
    });
  }
}
