// The settings of every unit but the name service: each is read, changed by the API and changed by its form.
import { SETTINGS as ALL } from '../../../shared/units/settings-registry.ts';
import type { Scenarios, Scene } from './scenario.ts';

type Change = readonly [member: string, value: (n: number) => string | number | string[]];
const hostname: Change = ['hostname', (n) => `host${n}.lab.example`];

/** A member that no other one depends on, and values that differ from each other. */
const CHANGES: Readonly<Record<string, Change>> = {
  network: hostname,
  firewall: ['management_networks', (n) => [`10.${n >> 8}.${n & 255}.0/24`]],
  dhcp: ['lease_time', (n) => 3600 + n],
  ntp: hostname,
  'certificate-authority': ['portal_hostname', hostname[1]],
  kms: hostname,
  ldap: hostname,
  oidc: hostname,
  'private-cloud-services': hostname,
  storage: hostname,
  'network-boot': hostname,
  'web-terminal': ['session_minutes', (n) => 5 + (n % 400)],
};

/** A form sends every switch that is on, every list and every text. */
function fields(document: Record<string, unknown>): Record<string, string> {
  const { revision, updated_at: _at, listen_addresses: _derived, ...members } = document;
  const shown = Object.entries(members).filter(([, value]) => value !== false);
  const text = (value: unknown) => (Array.isArray(value) ? value.join('\n') : value === true ? 'on' : String(value));
  return { ...Object.fromEntries(shown.map(([name, value]) => [name, text(value)])), revision: String(revision) };
}

export const SETTINGS: Scenarios = Object.fromEntries(
  ALL.flatMap(({ key, component, path }) => {
    const change = CHANGES[key];
    if (!change) return [];
    const [member, value] = change;
    const given = async (scene: Scene) => {
      const { body } = await scene.api('GET', `${path}/settings`);
      const next = { [member]: value(scene.next()) };
      return { ...fields({ ...body, ...next }), next: JSON.stringify(next) };
    };
    const audit = [`${key}.settings.update`];
    // One more than others: whether records of the host name have to follow.
    const statements = 8;
    return [
      [`update${component}Settings`, { given, send: ({ next }) => ({ body: JSON.parse(next!) }), audit, statements }],
      [`update${component}SettingsForm`, { given, send: ({ next: _json, ...form }) => ({ form }), audit, statements }],
    ] satisfies [string, Scenarios[string]][];
  }),
);
