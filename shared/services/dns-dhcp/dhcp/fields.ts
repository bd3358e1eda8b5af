// Posted fields of DHCP forms → members of request bodies.
import type { FormFields } from '../../../kernel/operation/operation.ts';

/** A line or an item between commas is one range: `10.0.0.10-10.0.0.99`, or one address. */
function rangesIn(text: string): { start: string; end: string }[] {
  return text
    .split(/[\n,]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [start = '', end] = line.split(/\s*[-–]\s*|\s+/);
      return { start, end: end ?? start };
    });
}

/** Members of a served subnet. An empty lease time is left out. */
export function subnetFields(fields: FormFields) {
  return {
    interface: fields.text('interface'),
    subnet_cidr: fields.text('subnet_cidr'),
    ranges: rangesIn(fields.text('ranges')),
    gateway: fields.text('gateway'),
    dns_servers: fields.list('dns_servers'),
    ntp_servers: fields.list('ntp_servers'),
    lease_time: fields.text('lease_time') === '' ? undefined : fields.integer('lease_time'),
    domain: fields.text('domain'),
    enabled: fields.checked('enabled'),
  };
}

export function scopeFields(fields: FormFields) {
  return {
    name: fields.text('name'),
    ...subnetFields(fields),
    boot_listener: fields.optional('boot_listener'),
    description: fields.text('description'),
  };
}

/** An empty scope means every scope of the family. */
export function optionFields(fields: FormFields) {
  return {
    scope_id: fields.text('scope_id') || null,
    address_family: fields.text('address_family') || undefined,
    code: fields.integer('code'),
    value: fields.text('value'),
    enabled: fields.checked('enabled'),
    description: fields.text('description'),
  };
}

/** A form without a host name is that of a reservation with an owner: it has the description only. */
export function reservationFields(fields: FormFields) {
  const description = fields.text('description');
  if (fields.optional('hostname') === undefined) return { description };
  return {
    hostname: fields.text('hostname'),
    mac_address: fields.text('mac_address'),
    ip_address: fields.text('ip_address'),
    register_dns: fields.checked('register_dns'),
    enabled: fields.checked('enabled'),
    description,
  };
}
