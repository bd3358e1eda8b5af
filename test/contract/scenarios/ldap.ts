// The directory: organisations, users, groups, bind accounts, and their passwords.
import type { House } from '../../setup/house.ts';
import type { Scenarios, Scene } from './scenario.ts';

const LDAP = '/api/v1/ldap';

const newOrganization = async (scene: Scene) => {
  const n = scene.next();
  return { slug: `org-${n}`, suffix: `dc=org-${n},dc=test` };
};

async function organization(scene: Scene) {
  const { body } = await scene.api('POST', `${LDAP}/organizations`, await newOrganization(scene));
  return { organization_id: body.id as string, revision: String(body.revision) };
}

/** There may be few of them, so that all share one, until a restore takes it away. */
const shared = new WeakMap<House, string>();

const within = async (scene: Scene) => {
  const { store } = scene.house.services;
  const known = shared.get(scene.house) ?? '';
  const stands = await store.one<{ id: string }>('SELECT id FROM ldap_organization WHERE id = ?', [known]);
  const organization_id = stands?.id ?? (await organization(scene)).organization_id;
  shared.set(scene.house, organization_id);
  return { organization_id, named: `new-${scene.next()}` };
};

async function user(scene: Scene) {
  const { organization_id, named } = await within(scene);
  const { body } = await scene.api('POST', `${LDAP}/users`, { organization_id, uid: named, surname: 'Lovelace' });
  return { organization_id, directory_user_id: body.id as string, revision: String(body.revision) };
}
async function group(scene: Scene) {
  const { organization_id, named } = await within(scene);
  const { body } = await scene.api('POST', `${LDAP}/groups`, { organization_id, name: named });
  return { organization_id, group_id: body.id as string, revision: String(body.revision) };
}
async function account(scene: Scene) {
  const { organization_id, named } = await within(scene);
  const { body } = await scene.api('POST', `${LDAP}/bind-accounts`, { organization_id, name: named });
  return { organization_id, bind_account_id: body.id as string, revision: String(body.revision) };
}

const fresh = within;

async function previewedEntries(scene: Scene) {
  const given = await within(scene);
  const form = { kind: 'users', csv: `uid,surname\n${given.named},Lovelace\n`, dry_run: 'true' };
  const page = `/ui/management/ldap/organizations/${given.organization_id}/import`;
  const { text } = await scene.house.send('POST', page, { session: scene.admin, form });
  return { ...given, previewed: /name="previewed" value="([0-9a-f]{64})"/.exec(text)![1]! };
}

const SAVED = { enabled: 'on', description: 'Lab' };
const PERSON = { kind: 'person', given_name: 'Ada', surname: 'Lovelace', display_name: '', mail: '', telephone: '' };
const gone = ({ revision }: Record<string, string>) => ({ form: { revision: revision! } });

const collection = (
  component: string,
  action: string,
  made: NonNullable<Scenarios[string]['given']>,
  fresh: NonNullable<Scenarios[string]['given']>,
  [create, update]: [(given: Record<string, string>) => Record<string, string>, Record<string, string>],
): Scenarios => ({
  [`create${component}`]: { given: fresh, audit: [`${action}.create`] },
  [`create${component}Form`]: {
    given: fresh,
    send: (given) => ({ form: { ...create(given), ...SAVED } }),
    audit: [`${action}.create`],
  },
  [`get${component}`]: { given: made },
  // Members of a group are looked up.
  [`update${component}`]: { given: made, audit: [`${action}.update`], statements: 8 },
  [`update${component}Form`]: {
    given: made,
    send: ({ revision }) => ({ form: { ...update, ...SAVED, revision: revision! } }),
    audit: [`${action}.update`],
  },
  [`delete${component}`]: { given: made, audit: [`${action}.delete`] },
  [`delete${component}Form`]: { given: made, send: gone, audit: [`${action}.delete`] },
  [`${component.charAt(0).toLowerCase()}${component.slice(1)}Page`]: { given: made },
  [`delete${component}Page`]: { given: made },
});

const accountOf = (component: string, action: string, made: NonNullable<Scenarios[string]['given']>): Scenarios => ({
  // What the settings ask of it and the earlier ones are read before the slow part; two end a user's sessions at clients, and one marks that.
  [`set${component}Password`]: { given: made, audit: [`${action}.password`], statements: 13 },
  [`set${component}PasswordForm`]: {
    given: made,
    send: () => ({ form: { password: 'a passphrase of its own' } }),
    status: 200,
    audit: [`${action}.password`],
    statements: 19,
  },
  [`set${component}PasswordPage`]: { given: made },
  [`unlock${component}`]: { given: made, audit: [`${action}.unlock`] },
  [`unlock${component}Form`]: { given: made, audit: [`${action}.unlock`] },
});

export const DIRECTORY: Scenarios = {
  ...collection('LdapOrganization', 'ldap.organization', organization, newOrganization, [
    ({ slug, suffix }) => ({ slug: slug!, suffix: suffix! }),
    {},
  ]),
  ...collection('LdapUser', 'ldap.user', user, within, [
    ({ organization_id, named }) => ({ organization_id: organization_id!, uid: named!, ...PERSON }),
    PERSON,
  ]),
  ...collection('LdapGroup', 'ldap.group', group, within, [
    ({ organization_id, named }) => ({
      organization_id: organization_id!,
      name: named!,
      member_users: '',
      member_groups: '',
    }),
    { member_users: '', member_groups: '' },
  ]),
  ...collection('LdapBindAccount', 'ldap.bind_account', account, within, [
    ({ organization_id, named }) => ({ organization_id: organization_id!, name: named! }),
    {},
  ]),
  // A row and its group, each with what a single one asks.
  importLdapEntries: { given: fresh, audit: ['ldap.import'], statements: 10 },
  importLdapEntriesForm: {
    given: previewedEntries,
    send: ({ named, previewed }) => ({
      form: { kind: 'users', csv: `uid,surname\n${named},Lovelace\n`, previewed: previewed!, mode: 'add_and_change' },
    }),
    audit: ['ldap.import'],
    statements: 16,
  },
  importLdapEntriesPage: { given: fresh },
  exportLdapEntries: { given: fresh, query: '?kind=users' },
  downloadLdapEntries: { given: fresh },
  makeLdapTestUsers: { given: fresh, audit: ['ldap.test_users'], statements: 20 },
  makeLdapTestUsersForm: {
    given: fresh,
    send: ({ named }) => ({ form: { count: '2', groups: '0', seed: named! } }),
    status: 200,
    audit: ['ldap.test_users'],
    statements: 20,
  },
  makeLdapTestUsersPage: { given: fresh },
  ...accountOf('LdapUser', 'ldap.user', user),
  ...accountOf('LdapBindAccount', 'ldap.bind_account', account),
};
