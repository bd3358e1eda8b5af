// A directory that is in force here as far as its files go, for a product on loopback. Programs that end themselves use it:
// nothing of it imports a fake, each of which is a program as well.
import { createRoot } from '../../shared/platform/certificate-authority/authority.ts';
import { newestRoot } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { certificateAuthoritySettings } from '../../shared/platform/certificate-authority/settings.ts';
import type { Collection, Kept } from '../../shared/platform/units/collection.ts';
import { listItems } from '../../shared/platform/units/collection-store.ts';
import { saveSettings } from '../../shared/platform/units/settings-store.ts';
import { bindAccounts } from '../../shared/services/ldap/bind-accounts.ts';
import type { OrganizationEntries } from '../../shared/services/ldap/entries.ts';
import { ENTRIES_FILE, LISTEN_FILE } from '../../shared/services/ldap/files.ts';
import { groups } from '../../shared/services/ldap/groups.ts';
import { type Holder, knownHashes } from '../../shared/services/ldap/password-store.ts';
import { users } from '../../shared/services/ldap/users.ts';
import { type Credentials, House, type HouseOptions } from './house.ts';

export const AUTOMATION = '/ui/management/ldap/automation';
export const SLUG = 'automation-lab';
export const SUFFIX = 'dc=automation,dc=test';
/** What is looked for everywhere. */
export const SECRETS = {
  bind: 'tundra-fiddle-gravel-08',
  ada: 'quarrel-velvet-onion-71',
  grace: 'ember-walrus-cobalt-44',
};

/** The files as an apply leaves them, of what is saved. `port`: of LDAPS. */
export async function putInForce(house: House, port = 636): Promise<void> {
  const { host, store } = house.services;
  const put = (path: string, content: string) => host.write({ path, content, mode: 0o640 });
  const markOfHolder = async (holder: Holder) => (await knownHashes(store, holder))[0]?.mark ?? '';
  const all = async <T extends Kept>(of: Collection<T>) => (await listItems(store, of, { limit: 200 })).items;
  const slug = SLUG;
  const of = <T extends { organization: string }>(items: T[]) => items.filter((one) => one.organization === slug);
  const organization: OrganizationEntries = { slug, suffix: SUFFIX, users: [], groups: [], accounts: [] };
  for (const one of of(await all(users))) {
    const mark = await markOfHolder({ user_id: one.id });
    organization.users.push({ ...one, mail: `${one.uid}@lab.test`, telephone: '555-0100', mark });
  }
  for (const { name, entry_uuid, member_users, member_groups } of of(await all(groups)))
    organization.groups.push({ name, entry_uuid, users: member_users, groups: member_groups });
  for (const { id, name, entry_uuid } of of(await all(bindAccounts)))
    organization.accounts.push({ name, entry_uuid, mark: await markOfHolder({ account_id: id }) });
  const policy = { max_failures: 3, lockout_seconds: 0, max_age_seconds: 0 };
  await put(ENTRIES_FILE, JSON.stringify({ version: 1, policy, organizations: [organization] }));
  await put(LISTEN_FILE, `ldaps://127.0.0.1:${port}/ ldapi:///\n`);
}

/** Ada and Grace, a group of each kind, and an account to bind as. */
export async function furnishDirectory(house: House, { token }: Credentials): Promise<void> {
  const post = async (path: string, body: object) => {
    const answer = await house.send('POST', `/api/v1/ldap/${path}`, { token, body });
    if (answer.status >= 300) throw new Error(answer.text);
    return answer.body;
  };
  const { id: organization_id } = await post('organizations', { slug: SLUG, suffix: SUFFIX });
  const ada = await post('users', { organization_id, uid: 'ada', surname: 'Lovelace' });
  const grace = await post('users', { organization_id, uid: 'grace', surname: 'Hopper' });
  await post('groups', { organization_id, name: 'operators', member_users: ['ada'] });
  await post('groups', { organization_id, name: 'admins', member_groups: ['operators'] });
  await post('groups', { organization_id, name: 'nobody-yet' });
  const account = await post('bind-accounts', { organization_id, name: 'automation' });
  await post(`bind-accounts/${account.id}/password`, { password: SECRETS.bind });
  await post(`users/${ada.id}/password`, { password: SECRETS.ada });
  await post(`users/${grace.id}/password`, { password: SECRETS.grace });
}

export async function makeRoot(house: House): Promise<void> {
  const { services } = house.appliance;
  await services.store.write(async (tx) => {
    if (await newestRoot(tx)) return;
    await saveSettings(
      tx,
      services,
      certificateAuthoritySettings,
      { enabled: true, key_algorithm: 'ecdsa-p256' },
      null,
    );
    await createRoot(tx, services, 'ada');
  });
}

export interface AutomationScene {
  house: House;
  admin: Credentials;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every kind
  api(method: string, path: string, body?: unknown): Promise<any>;
}

export async function automationScene(options: HouseOptions = {}): Promise<AutomationScene> {
  const house = await House.open({ ticker: false, ...options });
  const admin = await house.actor('admin');
  if (options.data === undefined) {
    await makeRoot(house);
    await furnishDirectory(house, admin);
  }
  await putInForce(house);
  const body = { allowed_networks: ['127.0.0.0/8'] };
  await house.send('PATCH', '/api/v1/remote/settings', { token: admin.token, body });
  const api = async (method: string, path: string, body?: unknown) =>
    (await house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) })).body;
  return { house, admin, api };
}

export const CHOSEN = {
  account: 'automation-lab/automation',
  group: 'automation-lab/admins',
  user: 'ada',
  role: 'urn:vcloud:role:2',
};
export const PASSWORDS = { bind_password: SECRETS.bind, user_password: SECRETS.ada };
