// Time sources, NFS datastores and ESXi hosts of an archive of schema 2.

import { VARIABLE_NAME } from '../../../services/network-boot/kickstart-text.ts';
import { MOUNTS } from '../../../services/storage/paths.ts';
import { idOf, type SourceRow } from './source-row.ts';
import type { Translation } from './translation.ts';

export function bringTime(translation: Translation): void {
  const settings = translation.settings('ntp_settings');
  if (settings) {
    const document = {
      enabled: settings.flag('enabled', false),
      hostname: settings.word('hostname', ''),
      listen_interfaces: settings.list('listen_interface'),
    };
    translation.carry('unit_settings', [{ id: 'ntp', document }]);
  }
  // They stand in a section of their own, or in that of the settings.
  const own = translation.has('ntp_sources');
  if (!own && !settings?.has('sources')) return;
  translation.carry('ntp_source');
  const known = new Set<string>();
  for (const row of own ? translation.rows('ntp_sources') : settings!.rows('sources')) {
    const address = row.word('source');
    if (known.has(address)) {
      translation.leave('ntp_sources', 'They say the same as another.');
      continue;
    }
    known.add(address);
    const about = { address, kind: 'server', nts: row.flag('nts', false), prefer: false };
    const { description, enabled } = { description: row.text('description', ''), enabled: row.flag('enabled', true) };
    translation.carry('ntp_source', [{ id: idOf('ntpsrc', address), ...about, description, enabled }]);
  }
}

export function bringStorage(translation: Translation): void {
  if (!translation.has('esx_storage_volumes')) return;
  const volumes = new Map<string, string>();
  translation.carry('storage_volume');
  for (const row of translation.rows('esx_storage_volumes')) {
    const [name, device] = [row.word('name'), row.text('stable_device_id', '')];
    if (!device.startsWith('/dev/disk/by-id/') || !/^[a-z0-9-]{1,63}$/.test(name)) {
      translation.leave('esx_storage_volumes', 'They are not disks that are known by a stable name.');
      continue;
    }
    const id = idOf('vol', name);
    volumes.set(row.text('id', ''), id);
    const about = { name, device, mount_path: `${MOUNTS}${name}`, description: '', enabled: true };
    translation.carry('storage_volume', [{ id, ...about }]);
  }
  translation.carry('storage_datastore');
  const section = ['esx_nfs_shares', 'esx_storage_shares'].find((name) => translation.has(name)) ?? '';
  for (const row of translation.rows(section)) {
    const volume_id = volumes.get(row.text('volume_id', ''));
    if (!volume_id) translation.leave(section, 'Their volume is not taken over.');
    else translation.carry('storage_datastore', [datastoreIn(row, volume_id)]);
  }
}

/** There an empty list of clients lets everybody in. */
const everybody = (clients: string[]): string[] => (clients.length === 0 ? ['any'] : clients);

function datastoreIn(row: SourceRow, volume_id: string) {
  const name = row.text('datastore_name');
  const families = row.list('address_families');
  const clients = (family: 'ipv4' | 'ipv6') =>
    families.includes(family) ? everybody(row.list(`${family}_clients`)) : row.list(`${family}_clients`);
  return {
    id: idOf('ds', name),
    name,
    volume_id,
    path: row.text('relative_path', ''),
    nfs_version: row.text('preferred_nfs_version', '4.1'),
    interface: row.text('interface_name', ''),
    address_families: families,
    ipv4_clients: clients('ipv4'),
    ipv6_clients: clients('ipv6'),
    description: row.text('description', ''),
    enabled: row.flag('enabled', true),
  };
}

export function bringHosts(translation: Translation): void {
  const section = ['esxi_pxe_hosts', 'esxi_hosts'].find((name) => translation.has(name));
  if (section === undefined) return;
  const known = new Set<string>();
  translation.carry('network_boot_host');
  for (const row of translation.rows(section)) {
    const [hostname, mac_address] = [row.word('hostname'), row.mac('mac_address')];
    if (known.has(hostname) || known.has(mac_address)) {
      translation.leave(section, 'Another one has the same name or the same card.');
      continue;
    }
    known.add(hostname).add(mac_address);
    const variables = [...row.texts('variables')];
    const kept = variables.filter(([name]) => VARIABLE_NAME.test(name)).sort(([a], [b]) => (a < b ? -1 : 1));
    if (kept.length < variables.length)
      translation.leave(
        `${section}: variables`,
        'Their names are not such as variables have here.',
        variables.length - kept.length,
      );
    if (row.text('ip_address', '') !== '')
      translation.leave(
        `${section}: addresses`,
        'Their reservations stay those of a person: give each host its address anew.',
      );
    if (row.has('kickstart_id')) translation.leave(`${section}: Kickstarts`, 'Kickstarts are not taken over.');
    if (row.text('installer_iso_path', '') !== '')
      translation.leave(`${section}: installer images`, 'Images are not in the file.');
    translation.carry('network_boot_host', [
      {
        id: idOf('host', hostname),
        hostname,
        mac_address,
        ip_address: '',
        kickstart_id: null,
        media_id: null,
        variable_names: kept.map(([name]) => name),
        description: '',
        // Without a Kickstart it has nothing to boot.
        enabled: false,
        secret: Object.fromEntries(kept),
      },
    ]);
  }
}
