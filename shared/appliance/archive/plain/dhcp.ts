// DHCP of an archive of schema 2: scopes with the text of their ranges, options and reservations.
import { parseAddress } from '../../../ground/addresses/address.ts';
import type { Json } from '../rows.ts';
import { idOf, type SourceRow } from './source-row.ts';
import type { Translation } from './translation.ts';

export function bringDhcp(translation: Translation): void {
  const settings = translation.settings('dhcp_settings');
  if (settings) {
    const authoritative = settings.flag('authoritative', true);
    translation.carry('unit_settings', [
      { id: 'dhcp', document: { enabled: settings.flag('enabled', false), authoritative } },
    ]);
  }
  if (!translation.has('dhcp_scopes')) return;
  /** Id in the file → id and family of ours. */
  const scopes = new Map<string, { id: string; family: string }>();
  translation.carry('dhcp_scope');
  for (const row of translation.rows('dhcp_scopes')) {
    const scope = scopeIn(row);
    if (!scope) {
      translation.leave('dhcp_scopes', 'Their ranges or lease times can’t be read.');
      continue;
    }
    scopes.set(row.text('id', ''), { id: String(scope.id), family: String(scope.address_family) });
    translation.carry('dhcp_scope', [scope]);
  }
  bringOptions(translation, scopes);
  bringReservations(translation);
}

function scopeIn(row: SourceRow): Record<string, Json> | null {
  const name = row.text('name');
  const family = row.word('address_family', 'ipv4');
  const ranges = rangesIn(row.text('range_expression', ''));
  const lease_time = secondsOf(row.word('lease_time', '12h'));
  if (!ranges || lease_time === null || !['ipv4', 'ipv6'].includes(family)) return null;
  return {
    id: idOf('scope', name),
    name,
    address_family: family,
    interface: row.text('interface_name', ''),
    subnet_cidr: row.network('site_address', 'prefix_length'),
    ranges,
    gateway: row.address('site_address'),
    dns_servers: row.list('dns_server'),
    ntp_servers: row.list('ntp_server'),
    lease_time,
    domain: row.word('domain_name', ''),
    boot_listener: '',
    description: row.text('description', ''),
    enabled: row.flag('enabled', true),
  };
}

/** `192.0.2.100-200, 192.0.2.210`; null for what is none. */
export function rangesIn(text: string): { start: string; end: string }[] | null {
  const ranges = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
    .map((each) => {
      const [from = '', to = from] = each.split('-').map((end) => end.trim());
      const whole = /^\d{1,3}$/.test(to) ? from.replace(/\d+$/, to) : to;
      const [start, end] = [parseAddress(from), parseAddress(whole)];
      return start && end ? { start: start.text, end: end.text } : null;
    });
  return ranges.includes(null) ? null : (ranges as { start: string; end: string }[]);
}

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** `12h` in seconds; null for what is none. */
export function secondsOf(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,8})([smhdw]?)$/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits) * UNITS[unit]!;
}

function bringOptions(translation: Translation, scopes: ReadonlyMap<string, { id: string; family: string }>): void {
  translation.carry('dhcp_option');
  for (const row of translation.rows('dhcp_options')) {
    const code = Number(/^(?:option6?:)?(\d{1,5})$/.exec(row.word('option_code'))?.[1]);
    const named = row.text('scope_id', '');
    const scope = scopes.get(named);
    if (!Number.isInteger(code))
      translation.leave('dhcp_options', 'They are named by words; here an option has a number.');
    else if (named !== '' && !scope) translation.leave('dhcp_options', 'Their scope is not taken over.');
    else {
      const family = scope?.family ?? 'ipv4';
      const id = idOf('option', scope?.id ?? '', family, code);
      const { value, description } = { value: row.text('value'), description: row.text('description', '') };
      const about = { scope_id: scope?.id ?? null, code, address_family: family, value, description };
      if (translation.tables.get('dhcp_option')!.some((other) => other.id === id))
        translation.leave('dhcp_options', 'Another one has the same number.');
      else translation.carry('dhcp_option', [{ id, ...about, enabled: row.flag('enabled', true) }]);
    }
  }
}

function bringReservations(translation: Translation): void {
  const [macs, addresses] = [new Set<string>(), new Set<string>()];
  translation.carry('dhcp_reservation');
  for (const row of translation.rows('dhcp_reservations')) {
    const [mac_address, ip_address] = [row.mac('mac_address'), row.address('ip_address')];
    const address_family = ip_address.includes(':') ? 'ipv6' : 'ipv4';
    const id = idOf('resv', mac_address, address_family);
    if (macs.has(id) || addresses.has(ip_address)) {
      translation.leave('dhcp_reservations', 'Another one has the same card or the same address.');
      continue;
    }
    macs.add(id);
    addresses.add(ip_address);
    const owner = { owner_source: null, owner_ref: null, owner_component: null };
    const about = { hostname: row.word('hostname', ''), mac_address, address_family, ip_address, register_dns: false };
    const { description, enabled } = { description: row.text('description', ''), enabled: row.flag('enabled', true) };
    translation.carry('dhcp_reservation', [{ id, ...about, ...owner, description, enabled }]);
  }
}
