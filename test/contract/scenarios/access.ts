// Signing in and out, tokens, users, audit.
import { PASSWORD } from '../../setup/house.ts';
import type { Scenarios, Scene } from './scenario.ts';

const SECRET = 'a long enough passphrase';

/** Made without hashing a password again. */
async function user({ house }: Scene) {
  const { user } = await house.actor('viewer');
  return { user_id: user.id, revision: String(user.revision) };
}

async function token(scene: Scene) {
  const { body } = await scene.api('POST', '/api/v1/tokens', { name: `token ${scene.next()}`, scopes: ['read:dns'] });
  return { token_id: body.token.id as string };
}

/** A session that the scenario may use up. */
async function own({ house }: Scene) {
  const { cookie, csrf } = await house.actor('viewer');
  return { cookie, csrf };
}

const name = async (scene: Scene) => ({ name: `name-${scene.next()}` });

export const ACCESS: Scenarios = {
  chooseThemeForm: { send: () => ({ form: { theme: 'dark', return_to: '/ui/management' } }), audit: [] },
  signInForm: {
    given: async ({ house }) => ({ username: (await house.actor('viewer')).user.name }),
    send: ({ username }) => ({ form: { username: username!, password: PASSWORD } }),
    audit: ['session.start'],
    statements: 10,
  },
  signOutForm: {
    given: own,
    send: ({ cookie, csrf }) => ({ session: { cookie: cookie!, csrf: csrf! } }),
    audit: ['session.end'],
  },

  changeOwnPassword: {
    given: async ({ house }) => ({ token: (await house.actor('viewer')).token }),
    send: ({ token }) => ({ token: token! }),
    audit: ['account.password'],
    // The failures of before are forgotten, in a transaction of their own, and the tokens that are kept are counted.
    statements: 15,
  },
  changeOwnPasswordForm: {
    given: own,
    send: ({ cookie, csrf }) => ({
      session: { cookie: cookie!, csrf: csrf! },
      form: { own_password: PASSWORD, new_password: SECRET, repeated_password: SECRET },
    }),
    audit: ['account.password'],
    statements: 8,
  },
  endOtherSessionsForm: {
    given: own,
    send: ({ cookie, csrf }) => ({ session: { cookie: cookie!, csrf: csrf! } }),
    audit: ['account.sessions.end'],
  },

  createApiToken: {
    given: name,
    audit: ['token.create'],
  },
  createApiTokenForm: {
    given: name,
    send: ({ name }) => ({
      form: { name: name!, scopes: ['read:dns', 'write:dns'], lifetime_days: '30', own_password: PASSWORD },
    }),
    status: 200,
    audit: ['token.create'],
    statements: 11,
  },
  getApiToken: { given: token },
  revokeApiToken: { given: token, audit: ['token.revoke'] },
  revokeApiTokenForm: { given: token, audit: ['token.revoke'] },

  createUser: {
    given: name,
    audit: ['user.create'],
  },
  createUserForm: {
    given: name,
    send: ({ name }) => ({ form: { name: name!, role: 'viewer', password: SECRET, own_password: PASSWORD } }),
    audit: ['user.create'],
  },
  getUser: { given: user },
  updateUser: { given: user, audit: ['user.update'], statements: 8 },
  updateUserForm: {
    given: user,
    // It switches the user off, which goes on while an apply runs.
    send: ({ revision }) => ({ form: { role: 'viewer', revision: revision!, own_password: PASSWORD } }),
    audit: ['user.update'],
    statements: 8,
  },
  deleteUser: { given: user, audit: ['user.delete'], statements: 8 },
  deleteUserForm: {
    given: user,
    send: ({ revision }) => ({ form: { revision: revision!, own_password: PASSWORD } }),
    audit: ['user.delete'],
    statements: 8,
  },
  deleteUserPage: { given: user },
  userPage: { given: user },
};
