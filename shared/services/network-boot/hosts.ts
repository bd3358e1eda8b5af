// ESXi hosts of network boot: the machines that may boot from the appliance, and what each installs. A host with an
// address owns a DHCP reservation (appliance/esxi-hosts.ts).
import * as v from 'valibot';
import { parseAddress } from '../../ground/addresses/address.ts';
import { canonicalName, hostNameFault } from '../../ground/addresses/domain-name.ts';
import { isUnicastMac, parseMac } from '../../ground/addresses/mac-address.ts';
import { type FieldError, invalid, Problem } from '../../ground/problems.ts';
import { component, described, idSchema, listOf, macAnswer, text } from '../../ground/schemas/component.ts';
import type { Database } from '../../ground/store/database.ts';
import { type Collection, type Kept, told } from '../../platform/units/collection.ts';
import { descriptionMember, enabledMember, KEPT_MEMBERS } from '../../platform/units/kept-members.ts';
import { sealedVariables, variablesMember } from './host-variables.ts';
import { refuseUnfit } from './installs.ts';
import { kickstarts } from './kickstarts.ts';
import { bootMedia } from './media.ts';
import { refuseHostBeyondReach } from './vault-reach.ts';

export interface EsxiHost extends Kept {
  hostname: string;
  mac_address: string;
  /** Empty: the host gets an address of a range. */
  ip_address: string;
  kickstart_id: string | null;
  media_id: string | null;
  variable_names: string[];
  variables_sealed: string;
  variables_digest: string;
}

const hostname = v.pipe(
  v.string(),
  v.maxLength(255, 'At most 255 characters.'),
  v.description('Name of the host, with or without domain; stored in lower case. Unique.'),
);
const macAddress = v.pipe(
  v.string(),
  v.maxLength(32, 'At most 32 characters.'),
  v.description('Of the network card that it boots from; stored in lower case with colons. Unique.'),
);
const ipAddress = v.pipe(
  v.string(),
  v.maxLength(64, 'At most 64 characters.'),
  v.description(
    'Address in exactly one enabled DHCP scope, for which a reservation is kept. Empty: no reservation; an empty string clears it.',
  ),
);

const kickstartId = described(v.nullable(v.pipe(v.string(), v.maxLength(64))), 'Its Kickstart; null for none.');
const mediaId = described(
  v.nullable(v.pipe(v.string(), v.maxLength(64))),
  'The installer medium that it boots; null for none. Without Kickstart or medium it is known, but installs nothing.',
);

const item = component(
  'EsxiHost',
  v.object({
    id: idSchema,
    hostname: text('Name of the host, in lower case. Unique.'),
    mac_address: macAnswer,
    ip_address: text('Address that is reserved for it in DHCP; empty: none.'),
    kickstart_id: described(v.nullable(v.string()), 'Id of its Kickstart; null for none.'),
    media_id: described(v.nullable(v.string()), 'Id of the installer medium that it boots; null for none.'),
    variable_names: described(v.array(v.string()), 'Names of its variables; their values are never read back.'),
    ...KEPT_MEMBERS,
  }),
);
const choices = {
  ip_address: v.optional(ipAddress),
  kickstart_id: v.optional(kickstartId),
  media_id: v.optional(mediaId),
  variables: v.optional(variablesMember),
  enabled: v.optional(enabledMember('saved, but not booted, and its reservation is not given out.')),
  description: v.optional(descriptionMember),
};

/** The hosts themselves. To save one together with its reservation, use the collection of appliance/esxi-hosts.ts. */
export const hosts: Collection<EsxiHost> = {
  table: 'network_boot_host',
  prefix: 'host',
  noun: 'ESXi host',
  tag: 'Network boot',
  resource: 'pxe',
  path: '/api/v1/network-boot/esxi-hosts',
  param: 'host_id',
  pages: { all: 'boot-hosts', one: 'boot-host', home: 'network-boot' },
  listed: { component: 'EsxiHosts', noun: 'host', nouns: 'hosts' },
  imports: {
    key: ['hostname'],
    names: {
      kickstart: { of: 'kickstart_id', collection: () => kickstarts, member: 'name' },
      medium: { of: 'media_id', collection: () => bootMedia, member: 'name' },
    },
    without: 'The values of variables are never in a file: those that are saved stay, and new hosts have none.',
  },
  action: 'network-boot.host',
  columns: {
    hostname: 'text',
    mac_address: 'text',
    ip_address: 'text',
    kickstart_id: 'nullable',
    media_id: 'nullable',
    variable_names: 'json',
    variables_sealed: 'text',
    variables_digest: 'text',
  },
  order: ['hostname'],
  lookups: ['hostname', 'mac_address', 'ip_address', 'kickstart_id', 'media_id', 'enabled'],
  spelling: {
    hostname: canonicalName,
    mac_address: (text) => parseMac(text) ?? text,
    ip_address: (text) => parseAddress(text.trim())?.text ?? text,
  },
  immutable: [],
  defaults: {
    ip_address: '',
    kickstart_id: null,
    media_id: null,
    variable_names: [],
    variables_sealed: '',
    variables_digest: '',
  },
  hidden: { variables_sealed: 'variables', variables_digest: 'variables' },
  seal: sealedVariables,
  // A hundred variables of 1024 characters each.
  bodyLimit: 512 << 10,
  schemas: {
    item,
    list: listOf('EsxiHostList', item),
    create: component('EsxiHostCreate', v.strictObject({ hostname, mac_address: macAddress, ...choices }), {
      hostname: 'esx01.lab.test',
      mac_address: '00:50:56:01:02:03',
      ip_address: '192.0.2.21',
      kickstart_id: 'kickstart_h7k2m9p4q6r8s3t5',
      media_id: 'medium_4h7k2m9p6q8r3s5t',
      variables: { rack: 'B2' },
      description: 'Rack 2, unit 11',
    }),
    update: component(
      'EsxiHostUpdate',
      v.strictObject({ hostname: v.optional(hostname), mac_address: v.optional(macAddress), ...choices }),
      { ip_address: '192.0.2.22', variables: { rack: 'B3', old_name: null } },
    ),
  },
  title: (host) => host.hostname,
  facts: told('mac_address', 'ip_address', 'kickstart_id', 'media_id', 'variable_names', 'enabled'),
  async settle(tx, next, before, { actor }) {
    const host = canonicalHost(next);
    await refuseHostBeyondReach(tx, host, before, actor);
    if (host.ip_address !== '' && host.ip_address !== before?.ip_address) await refuseShared(tx, host);
    await refuseUnfit(tx, host, before);
    return host;
  },
};

/** @throws Problem 422 naming every faulty member. */
function canonicalHost(host: EsxiHost): EsxiHost {
  const errors: FieldError[] = [];
  const hostname = canonicalName(host.hostname);
  const named = hostNameFault(hostname);
  if (named) errors.push({ pointer: '/hostname', detail: named });
  const mac_address = parseMac(host.mac_address);
  if (!mac_address || !isUnicastMac(mac_address)) {
    errors.push({ pointer: '/mac_address', detail: 'Must be a MAC address, such as 00:50:56:01:02:03.' });
  }
  const text = host.ip_address.trim();
  const ip_address = text === '' ? '' : parseAddress(text)?.text;
  if (ip_address === undefined) errors.push({ pointer: '/ip_address', detail: 'Must be an IPv4 or IPv6 address.' });
  if (!mac_address || ip_address === undefined || errors.length > 0) throw invalid(...errors);
  return { ...host, hostname, mac_address, ip_address };
}

const SHARED = 'SELECT hostname FROM network_boot_host WHERE ip_address = ? AND id <> ?';

/** @throws Problem 409 when another host has the address; saving the reservation finds other reservations of it. */
async function refuseShared(tx: Database, { id, ip_address }: EsxiHost): Promise<void> {
  const other = await tx.one<{ hostname: string }>(SHARED, [ip_address, id]);
  if (!other) return;
  const detail = `The host ${other.hostname} has this address.`;
  throw new Problem('already_exists', detail, { errors: [{ pointer: '/ip_address', detail }] });
}
