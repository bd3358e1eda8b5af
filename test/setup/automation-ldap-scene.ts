// A VCF Automation that signs in at a directory described here, and the way of the wizard to it.
import {
  type FakeDirectory,
  startVcfAutomation,
  type VcfAutomation,
  type VcfAutomationOptions,
} from '../fakes/vcf-automation.ts';
import { AUTOMATION, CHOSEN, PASSWORDS, SECRETS, SUFFIX } from './automation-ldap-house.ts';
import type { Credentials, House } from './house.ts';
import { Walk } from './wizard-walk.ts';

export const serverOf = ({ host, port }: VcfAutomation): string => `${host}:${port}`;

const BIND_DN = `cn=automation,ou=system,${SUFFIX}`;

/** What the fake signs in at: it asks whether a root was uploaded, and knows these alone. */
export function describedDirectory(): FakeDirectory & { passwords: Record<string, string>; reached: boolean } {
  const dn = (uid: string) => `uid=${uid},ou=people,${SUFFIX}`;
  return {
    reached: true,
    passwords: { [BIND_DN]: SECRETS.bind, [dn('ada')]: SECRETS.ada, [dn('grace')]: SECRETS.grace },
    async signsIn({ trusted }, name, password) {
      return this.reached && trusted.length > 0 && this.passwords[name] === password;
    },
    async find(_at, kind, name) {
      if (kind === 'user') return dn(name) in this.passwords ? [dn(name)] : [];
      return ['operators', 'admins'].includes(name) ? [`cn=${name},ou=groups,${SUFFIX}`] : [];
    },
    async groupsOf(_at, name) {
      return name === dn('ada') ? ['operators', 'admins'] : [];
    },
  };
}

export const automation = (options: Partial<VcfAutomationOptions> = {}): Promise<VcfAutomation> =>
  startVcfAutomation({ directory: describedDirectory(), ...options });

/** Settings that an organization had. */
export const OLD = {
  enabled: true,
  settingsSource: 'DEFINED',
  definedSettings: {
    hostName: 'ad.lab.test',
    port: 636,
    ssl: true,
    searchBase: 'dc=ad',
    userName: 'cn=old',
    password: 'of-the-old-one',
  },
};

/** To the login, with one that is typed. */
export async function toLogin(house: House, who: Credentials, fake: VcfAutomation): Promise<Walk> {
  const walk = await new Walk(house, who).open(AUTOMATION);
  if (walk.step === null) throw new Error(walk.words);
  if (walk.step === 'credential') await walk.send('Credential', { step: 'server' });
  await walk.send('Server', { server: serverOf(fake) });
  return walk.send('Fingerprint', { confirm: 'yes' });
}

export const loggedIn = async (house: House, who: Credentials, fake: VcfAutomation): Promise<Walk> =>
  (await toLogin(house, who, fake)).send('Login', fake.account);

type Changes = Record<string, string | null>;

export const reviewed = async (
  house: House,
  who: Credentials,
  fake: VcfAutomation,
  chosen: Changes = {},
): Promise<Walk> => (await loggedIn(house, who, fake)).send('Directory', { ...CHOSEN, replace: 'yes', ...chosen });

/** Queued; the walk stands on the page of the job. */
export const configured = async (
  house: House,
  who: Credentials,
  fake: VcfAutomation,
  chosen: Changes = {},
): Promise<Walk> =>
  (await reviewed(house, who, fake, chosen)).send('Configure', { password: fake.account.password, ...PASSWORDS });

/** A vault with a login of the fake; answers what the picker's fields hold. */
export async function storedLogin(house: House, { token }: Credentials, fake: VcfAutomation, name: string) {
  const { id: vault_id } = (await house.send('POST', '/api/v1/vaults', { token, body: { name } })).body;
  const { username, password: value } = fake.account;
  const body = { key: 'automation.admin', username, value, uris: [`https://${serverOf(fake)}`] };
  await house.send('POST', `/api/v1/vaults/${vault_id}/entries`, { token, body });
  const { items } = (await house.send('GET', `/api/v1/vaults/${vault_id}/credentials`, { token })).body;
  return { vault_id, choice_id: items[0].choice_id as string };
}
