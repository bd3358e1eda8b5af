// What runs of slapd's configuration and of its listeners, against what it was started with; and from it to settings of the
// directory. No value is told: a person may have written a password into one.
import type { Host } from '../../../ground/machine/host.ts';
import { type LdapDesired, type LdapSettings, listenersOf, placeOf } from '../desired.ts';
import { CONFIG_FILE, LISTEN_FILE } from '../files.ts';
import { overSocket } from '../follow/glance.ts';
import { type Attributes, type Entry, parseEntriesOf } from '../follow/ldif.ts';
import { plainBindSecurity } from '../render.ts';

/** The service itself sets it while it fills a tree. */
const OWN = new Set(['olcDbNoSync']);
const ROOT = 'cn=config';
const SECURITY = 'olcSecurity';

/** What runs. */
export interface Running {
  config: Entry[];
  /** `ldaps://10.0.0.5:636`, but for the socket. */
  places: string[];
}

const all = { scope: 'sub', filter: { attribute: 'objectClass', is: 'present' } } as const;

/** @throws Error when slapd can't be asked */
export async function readRunning(host: Pick<Host, 'resolve'>): Promise<Running> {
  return overSocket(host, async (ask) => {
    const config = await ask({ base: ROOT, ...all, attributes: ['*'] });
    const listeners = await ask({ base: 'cn=Listeners,cn=Monitor', ...all, attributes: ['labeledURI'] });
    const urls = listeners.flatMap(({ attributes }) => attributes.labeledURI ?? []);
    return { config, places: placesIn(urls) };
  });
}

/** What slapd is to run with. */
export interface Expected {
  config: readonly Entry[];
  places: readonly string[];
}

/** As its files in force say, whoever wrote them; null where they are gone. */
export async function filesSay(host: Pick<Host, 'read'>): Promise<Expected | null> {
  const [config, listen] = [await host.read(CONFIG_FILE), await host.read(LISTEN_FILE)];
  if (config === null || listen === null) return null;
  return { config: await parseEntriesOf(config), places: placesIn(listen.trim().split(' ')) };
}

/** As it was applied. `applied`: texts that were kept of the files. */
export async function appliedSays(
  host: Pick<Host, 'read'>,
  inForce: LdapDesired,
  applied?: ReadonlyMap<string, string>,
): Promise<Expected | null> {
  const text = applied?.get(CONFIG_FILE) ?? (await host.read(CONFIG_FILE));
  if (text === null) return null;
  const config = (await parseEntriesOf(text)).map((entry) => secured(entry, inForce.settings));
  return { config, places: listenersOf(inForce).map(placeOf) };
}

const placesIn = (urls: readonly string[]): string[] =>
  urls.filter((url) => !url.startsWith('ldapi:')).map((url) => url.replace(/\/$/, ''));

/** One attribute of one entry that differs; `name` null: the entry itself is there or is not. */
export interface ConfigDifference {
  dn: string;
  name: string | null;
  state: 'changed' | 'missing' | 'there';
}

/** Schemas come from files of Debian's, and change while slapd reads them. */
const isSchema = (dn: string): boolean => dn.endsWith('cn=schema,cn=config');
const byName = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(
    entries.flatMap((entry) => (isSchema(entry.dn.toLowerCase()) ? [] : [[entry.dn.toLowerCase(), entry] as const])),
  );

/** slapd numbers what it keeps in order. */
const plain = (values: readonly string[] = []): string =>
  values
    .map((value) => value.replace(/^\{-?\d+\}/, ''))
    .sort()
    .join('\n');

/** Pure. */
export function configDifferences(wanted: readonly Entry[], running: readonly Entry[]): ConfigDifference[] {
  const [before, now] = [byName(wanted), byName(running)];
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((dn): ConfigDifference[] => {
    const [one, other] = [before.get(dn), now.get(dn)];
    if (!other) return [{ dn, name: null, state: 'missing' }];
    if (!one) return [{ dn, name: null, state: 'there' }];
    const names = new Set([...Object.keys(one.attributes), ...Object.keys(other.attributes)]);
    return [...names]
      .filter((name) => !OWN.has(name) && plain(one.attributes[name]) !== plain(other.attributes[name]))
      .map((name) => ({ dn, name, state: 'changed' as const }));
  });
}

function secured(entry: Entry, { allow_plain_bind }: Pick<LdapSettings, 'allow_plain_bind'>): Entry {
  if (entry.dn.toLowerCase() !== ROOT) return entry;
  const { [SECURITY]: _former, ...others } = entry.attributes;
  return { dn: entry.dn, attributes: { ...others, ...plainBindSecurity(allow_plain_bind) } };
}

export const isSecurity = ({ dn, name }: ConfigDifference): boolean => dn === ROOT && name === SECURITY;

/** Whether a client may bind without TLS, as what runs has it; null: it asks for something that is no setting. */
export function plainBindIn(running: readonly Entry[]): boolean | null {
  const found = running.find(({ dn }) => dn.toLowerCase() === ROOT)?.attributes ?? {};
  for (const allowed of [true, false]) {
    const { [SECURITY]: values } = plainBindSecurity(allowed) as Attributes;
    if (plain(values) === plain(found[SECURITY])) return allowed;
  }
  return null;
}

type Ports = Pick<LdapSettings, 'ldaps_enabled' | 'ldaps_port' | 'ldap_enabled' | 'ldap_port'>;

/** Pure: settings of the ports, as slapd listens; those of a protocol that it does not speak stay. */
export function portsIn(
  { settings, listen }: Pick<LdapDesired, 'settings' | 'listen'>,
  places: readonly string[],
): Ports {
  const found: Ports = { ...settings };
  for (const scheme of ['ldaps', 'ldap'] as const) {
    const own = places.filter((place) => place.startsWith(`${scheme}://`));
    const ports = new Set(own.map((place) => Number(place.slice(place.lastIndexOf(':') + 1))));
    const [port = 0] = ports;
    found[`${scheme}_enabled`] = own.length > 0;
    if (ports.size === 1) found[`${scheme}_port`] = port;
  }
  // Only where it then listens so: on some of its addresses alone, or on others, is no setting of a port.
  const would = listenersOf({ settings: { ...settings, ...found }, listen }).map(placeOf);
  return sameSet(would, places) ? pick(found) : pick(settings);
}

const pick = ({ ldaps_enabled, ldaps_port, ldap_enabled, ldap_port }: Ports): Ports => ({
  ldaps_enabled,
  ldaps_port,
  ldap_enabled,
  ldap_port,
});

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join('\n') === [...other].sort().join('\n');

/** Pure: where slapd listens though it is not to, and where it does not. */
export const placesBetween = (wanted: readonly string[], places: readonly string[]) => ({
  more: places.filter((place) => !wanted.includes(place)),
  less: wanted.filter((place) => !places.includes(place)),
});

/** Whether slapd runs otherwise than its files say; no where it can't be asked. */
export async function runsOtherwise(host: Pick<Host, 'read' | 'resolve'>): Promise<boolean> {
  try {
    const [wanted, running] = [await filesSay(host), await readRunning(host)];
    if (wanted === null) return false;
    const { more, less } = placesBetween(wanted.places, running.places);
    return more.length + less.length + configDifferences(wanted.config, running.config).length > 0;
  } catch {
    return false;
  }
}
