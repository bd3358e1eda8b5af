// What the appliance knows of the unit "Network boot".
import { pagePath } from '../../ground/page-paths.ts';
import type { UnitManifest } from '../../platform/units/manifest.ts';

export const manifest: UnitManifest = {
  id: 'network-boot',
  order: 110,
  name: 'Network boot',
  resources: { pxe: 'service-admin' },
  group: 'VCF',
  tags: {
    'Network boot': 'Hosts that install themselves over the network.',
  },
  pages: [{ page: 'network-boot', label: 'Network boot', resource: 'pxe' }],
  enforces: ['network-boot'],
  listeners: [
    {
      key: 'network-boot',
      label: 'Network boot',
      page: pagePath('network-boot-settings'),
      lastBinding: 'refuse',
      hostname: 'hostname',
      urls: ['uefi_http_url'],
      opens: [
        { protocol: 'tcp', ports: 'http_port', why: 'Boot files over HTTP.' },
        // The server sends the file from another port. That connection is its own, so the client's packets are answers
        // to it.
        { protocol: 'udp', ports: [69], why: 'The first boot program over TFTP.', when: 'tftp_enabled' },
      ],
    },
  ],
  // Its rows have secrets, and a copy in a plan's file would outlive a change of them.
  comes_back: null,
  takes_values: { table: 'network_boot_kickstart', column: 'vault_values' },
  tables: [
    {
      name: 'network_boot_kickstart',
      found: {
        kind: 'kickstart',
        label: 'Kickstarts',
        resource: 'pxe',
        page: 'kickstart',
        columns: ['name'],
        fact: 'description',
      },
      archive: {
        as: 'sealed',
        label: 'Kickstarts',
        columns: 'name text_revision text_lines text_bytes host_fields variables vault_values description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'enabled',
        json: 'host_fields variables vault_values',
        secret: 'text_sealed',
      },
    },
    {
      name: 'network_boot_medium',
      found: {
        kind: 'medium',
        label: 'Installer media',
        resource: 'pxe',
        page: 'boot-medium',
        columns: ['name', 'product'],
        fact: 'product',
      },
      archive: {
        as: 'desired',
        label: 'Installer media',
        columns: 'name source product size_bytes file_count content_digest loaders boot_config description enabled',
        key: 'name',
        unique: 'name',
        booleans: 'enabled',
        json: 'loaders boot_config',
        // Whether its files are there is a fact of the appliance.
        left: 'state fault',
      },
    },
    {
      name: 'network_boot_host',
      found: {
        kind: 'host',
        label: 'Network boot hosts',
        resource: 'pxe',
        page: 'boot-host',
        columns: ['hostname', 'mac_address', 'ip_address'],
        fact: "mac_address || ' ' || ip_address",
      },
      archive: {
        as: 'sealed',
        label: 'ESXi hosts',
        columns: 'hostname mac_address ip_address kickstart_id media_id variable_names description enabled',
        key: 'hostname',
        unique: 'hostname mac_address',
        booleans: 'enabled',
        json: 'variable_names',
        refers: { kickstart_id: 'network_boot_kickstart', media_id: 'network_boot_medium' },
        secret: 'variables_sealed variables_digest',
      },
    },
  ],
};
