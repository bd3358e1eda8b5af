// Settings of the DNS half of the unit, kept as one JSON document in `unit_settings`: schema, defaults, partial edit.
import * as v from 'valibot';
import { isLoopback, isUnicast, parseAddress } from '../../network/address.ts';
import { isDomainName } from './names.ts';

const PORT = /^[1-9]\d{0,4}$/;

/** `192.0.2.1`, `2001:db8::1` or either with `#port`, canonical; null when it is no address that can be asked. */
export function canonicalServer(text: string): string | null {
  const [host = '', port, ...more] = text.trim().split('#');
  const address = parseAddress(host);
  if (!address || !isUnicast(address) || isLoopback(address) || more.length > 0) return null;
  if (port === undefined || port === '53') return address.text;
  return PORT.test(port) && Number(port) <= 65535 ? `${address.text}#${port}` : null;
}

const unique = <T>(items: T[]): boolean => new Set(items).size === items.length;

// IFNAMSIZ is 16 with its terminator. The characters are those of link names in practice; none means anything to dnsmasq.
const InterfaceName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,14}$/, 'Must be the name of an interface of this appliance.'),
);

const Server = v.pipe(
  v.string(),
  v.check(
    (text) => canonicalServer(text) !== null,
    'Must be an IP address of another machine, with an optional #port; loopback and unspecified are refused.',
  ),
  v.transform((text) => canonicalServer(text) ?? text),
);

const Domain = v.pipe(
  v.string(),
  v.trim(),
  v.toLowerCase(),
  v.transform((text) => text.replace(/\.$/, '')),
  v.check((text) => text === '' || isDomainName(text), 'Must be a domain name, or empty for none.'),
);

const whole = (minimum: number, maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum));

const MEMBERS = {
  /** Whether the name service runs at all. */
  enabled: v.boolean(),
  listen_interfaces: v.pipe(v.array(InterfaceName), v.maxLength(256), v.check(unique, 'Names an interface twice.')),
  /** Asked for every name outside the managed zones; empty: such names are refused. */
  upstream_servers: v.pipe(v.array(Server), v.maxLength(16), v.check(unique, 'Names a server twice.')),
  /** One time to live for every record: dnsmasq has no other. */
  ttl_seconds: whole(0, 86_400),
  /** Answers of upstream servers kept in memory; 0 keeps none. */
  cache_size: whole(0, 100_000),
  /** Default search domain. */
  domain: Domain,
  log_queries: v.boolean(),
};

/** The full document. */
export const DnsDhcpSettingsSchema = v.strictObject(MEMBERS);
/** A PATCH: any of the members, none unknown, none null. */
export const DnsDhcpSettingsPatchSchema = v.partial(DnsDhcpSettingsSchema);

export type DnsDhcpSettings = v.InferOutput<typeof DnsDhcpSettingsSchema>;
export type DnsDhcpSettingsPatch = v.InferOutput<typeof DnsDhcpSettingsPatchSchema>;

export const DNS_DHCP_DEFAULTS: DnsDhcpSettings = {
  enabled: false,
  listen_interfaces: [],
  upstream_servers: [],
  ttl_seconds: 300,
  cache_size: 1000,
  domain: '',
  log_queries: false,
};

/**
 * The settings of a stored document; members that a document of an earlier version lacks have their defaults.
 * @throws v.ValiError when the document does not hold settings.
 */
export function settingsOf(document: string | undefined): DnsDhcpSettings {
  if (document === undefined) return DNS_DHCP_DEFAULTS;
  return v.parse(DnsDhcpSettingsSchema, { ...DNS_DHCP_DEFAULTS, ...(JSON.parse(document) as object) });
}
