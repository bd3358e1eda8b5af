// Signing in and out, tokens, users, audit.

import type { Role } from '../../../shared/kernel/access/scopes.ts';
import { beginTotp, useStep } from '../../../shared/kernel/access/second-factor/factor-store.ts';
import { resetFactors } from '../../../shared/kernel/access/second-factor/forget.ts';
import { addPasskey, createdPasskey } from '../../../shared/kernel/access/second-factor/passkey.ts';
import { beginRegistration } from '../../../shared/kernel/access/second-factor/passkey-registration.ts';
import { savePolicy } from '../../../shared/kernel/access/second-factor/policy.ts';
import { beginStep, findStep } from '../../../shared/kernel/access/second-factor/sign-in-step.ts';
import { totpCode, totpStep } from '../../../shared/kernel/access/second-factor/totp.ts';
import { startSession } from '../../../shared/kernel/access/session.ts';
import { listSessions } from '../../../shared/kernel/access/session-list.ts';
import { type Credentials, PASSWORD, type Send } from '../../setup/house.ts';
import { SoftwareKey } from '../../setup/software-key.ts';
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

/** A user in a session, with its id. */
async function signedIn({ house }: Scene) {
  const { user, token, cookie, csrf } = await house.actor('viewer');
  const [session] = await listSessions(house.services.store, user.id, house.services.clock.now());
  return { user_id: user.id, token, cookie, csrf, session_id: session!.id };
}

/** Another session of the admin: generated clients call with the admin's token. */
async function anotherOwn({ house, admin }: Scene) {
  const { services } = house;
  await services.store.write((tx) => startSession(tx, services, admin.user.id, '10.1.2.3', null));
  const sessions = await listSessions(services.store, admin.user.id, services.clock.now());
  return { session_id: sessions.find(({ source_address }) => source_address === '10.1.2.3')!.id };
}

/** A user with an authenticator that waits, or that counts; `code`: of the present step, which was not used yet. */
async function authenticator({ house }: Scene, counts: boolean, of?: Credentials) {
  const { services } = house;
  const { user, token, cookie, csrf } = of ?? (await house.actor('viewer'));
  const now = services.clock.now();
  return services.store.write(async (tx) => {
    const { id, secret } = await beginTotp(tx, services, user.id, 'Phone');
    if (counts) await useStep(tx, id, totpStep(now) - 2, now);
    const begun = { user_id: user.id, source_address: '127.0.0.1', return_to: '', party: null };
    const step = `groundcrew_step=${await beginStep(tx, services, begun)}`;
    return { factor_id: id, user_id: user.id, token, cookie, csrf, step, code: totpCode(secret, totpStep(now)) };
  });
}

const counting = (scene: Scene) => authenticator(scene, true);
/** The admin's own: generated clients call with the admin's token. */
const countingOwn = (scene: Scene) => authenticator(scene, true, scene.admin);
const waitingOwn = (scene: Scene) => authenticator(scene, false, scene.admin);

/** The admin is without factors again; a new one ended the admin's sessions, so that there is another one. */
async function tidied({ house, admin }: Scene): Promise<void> {
  await house.services.store.write((tx) => resetFactors(tx, admin.user.id));
  Object.assign(admin, await house.actor('admin'));
}

const waiting = (scene: Scene) => authenticator(scene, false);

/** In a sign-in of a role that must have a second factor, by a user who has none that counts. */
async function enrolling(scene: Scene) {
  const { store } = scene.house.services;
  const wanted = { roles: ['network-admin'] as Role[], user_verification: 'preferred' as const };
  await store.write((tx) => savePolicy(tx, wanted, null, new Date()));
  return authenticator(scene, false, await scene.house.actor('network-admin'));
}

/** With the cookie of the second step; the form comes from no other page, as from a program. */
const inStep = (step: string, form?: Record<string, string>): Send => ({
  session: { cookie: step, csrf: '' },
  ...(form && { form }),
  headers: { origin: undefined as never },
});
const asItself = ({ cookie, csrf }: Record<string, string>) => ({ session: { cookie: cookie!, csrf: csrf! } });

/** Where its browser has the appliance open. */
const PARTY = { rp_id: 'gc01.lab.example', origin: 'https://gc01.lab.example' };

/** A passkey that the browser has just made. */
async function made({ house: { services } }: Scene, { user, cookie, csrf }: Credentials) {
  const key = new SoftwareKey();
  const { id, challenge } = await services.store.write((tx) =>
    beginRegistration(tx, services, user.id, { name: 'Key', ...PARTY }),
  );
  return { registration_id: id, cookie, csrf, credential: JSON.stringify(key.create({ challenge, ...PARTY })) };
}

/** A sign-in of a user with a passkey, and its answer. */
async function answered({ house }: Scene) {
  const { services } = house;
  const { user } = await house.actor('viewer');
  const key = new SoftwareKey();
  return services.store.write(async (tx) => {
    const registration = await beginRegistration(tx, services, user.id, { name: 'Key', ...PARTY });
    const created = await createdPasskey(registration, key.create(registration), 'required');
    await addPasskey(tx, services, user.id, registration, created!);
    const of = { user_id: user.id, source_address: '127.0.0.1', return_to: '', party: PARTY };
    const id = await beginStep(tx, services, of);
    const { challenge } = await findStep(tx, services, id, { ...of, now: services.clock.now() });
    return { step: `groundcrew_step=${id}`, credential: JSON.stringify(key.use({ challenge: challenge!, ...PARTY })) };
  });
}

const name = async (scene: Scene) => ({ name: `name-${scene.next()}` });

export const ACCESS: Scenarios = {
  chooseThemeForm: { send: () => ({ form: { theme: 'dark', return_to: '/ui/management' } }), audit: [] },
  signInForm: {
    given: async ({ house }) => ({ username: (await house.actor('viewer')).user.name }),
    send: ({ username }) => ({ form: { username: username!, password: PASSWORD } }),
    audit: ['session.start'],
    // Two ask whether a second factor is to come.
    statements: 12,
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
    statements: 19,
  },
  changeOwnPasswordForm: {
    given: own,
    send: ({ cookie, csrf }) => ({
      session: { cookie: cookie!, csrf: csrf! },
      form: { own_password: PASSWORD, new_password: SECRET, repeated_password: SECRET },
    }),
    audit: ['account.password'],
    statements: 12,
  },
  endOtherSessionsForm: {
    given: own,
    send: ({ cookie, csrf }) => ({ session: { cookie: cookie!, csrf: csrf! } }),
    audit: ['account.sessions.end'],
    // Sessions here and at the provider, what waits for a second factor, and the marks that sign-ins under way find.
    statements: 10,
  },

  // Those of the appliance, and those at the provider with the names of its clients.
  listOwnSessions: { statements: 4 },
  endOwnSession: { given: anotherOwn, audit: ['account.session.end'] },
  endOwnSessionForm: {
    given: signedIn,
    send: ({ cookie, csrf }) => ({ session: { cookie: cookie!, csrf: csrf! } }),
    audit: ['account.session.end'],
  },
  endOwnSessions: {
    given: async ({ house }) => ({ token: (await house.actor('viewer')).token }),
    send: ({ token }) => ({ token: token! }),
    audit: ['account.sessions.end'],
    statements: 10,
  },
  listUserSessions: { given: signedIn, statements: 5 },
  userSessionsPage: { given: signedIn },
  endUserSession: { given: signedIn, audit: ['user.session.end'] },
  endUserSessionForm: { given: signedIn, audit: ['user.session.end'] },
  endUserSessions: { given: user, audit: ['user.sessions.end'], statements: 11 },
  endUserSessionsForm: { given: user, audit: ['user.sessions.end'], statements: 11 },

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
  updateUser: { given: user, audit: ['user.update'], statements: 12 },
  updateUserForm: {
    given: user,
    // It switches the user off, which goes on while an apply runs.
    send: ({ revision }) => ({ form: { role: 'viewer', revision: revision!, own_password: PASSWORD } }),
    audit: ['user.update'],
    statements: 12,
  },
  deleteUser: { given: user, audit: ['user.delete'], statements: 12 },
  deleteUserForm: {
    given: user,
    send: ({ revision }) => ({ form: { revision: revision!, own_password: PASSWORD } }),
    audit: ['user.delete'],
    statements: 12,
  },
  deleteUserPage: { given: user },

  secondFactorForm: {
    given: counting,
    send: ({ step, code }) => inStep(step!, { code: code! }),
    audit: ['session.start'],
    statements: 20,
  },
  secondFactorPage: { given: counting, send: ({ step }) => inStep(step!), statements: 6 },
  enrolForm: {
    given: enrolling,
    send: ({ step }) => inStep(step!, { name: 'Phone' }),
    status: 200,
    audit: ['account.second_factor.begin'],
    statements: 12,
  },
  enrolConfirmForm: {
    given: enrolling,
    send: ({ step, factor_id, code }) => inStep(step!, { factor_id: factor_id!, code: code! }),
    status: 200,
    audit: ['account.second_factor.add', 'session.start'],
    statements: 45,
  },
  enrolPage: { given: enrolling, send: ({ step }) => inStep(step!) },

  passkeyForm: {
    given: answered,
    send: ({ step, credential }) => inStep(step!, { credential: credential! }),
    audit: ['session.start'],
    statements: 24,
  },

  listOwnSecondFactors: { statements: 6 },
  beginOwnPasskey: { audit: ['account.second_factor.begin'], statements: 20 },
  beginOwnPasskeyForm: {
    send: () => ({
      form: { name: 'Key', own_password: PASSWORD },
      headers: { host: 'localhost', origin: 'http://localhost' },
    }),
    status: 200,
    audit: ['account.second_factor.begin'],
    statements: 20,
  },
  confirmOwnPasskey: {
    given: (scene) => made(scene, scene.admin),
    audit: ['account.second_factor.add'],
    statements: 30,
    after: tidied,
  },
  confirmOwnPasskeyForm: {
    given: async (scene) => made(scene, await scene.house.actor('viewer')),
    send: (given) => ({ ...asItself(given), form: { credential: given.credential! } }),
    status: 200,
    audit: ['account.second_factor.add'],
    statements: 30,
  },
  beginOwnTotp: { audit: ['account.second_factor.begin'], statements: 20 },
  beginOwnTotpForm: {
    send: () => ({ form: { name: 'Phone', own_password: PASSWORD } }),
    status: 200,
    audit: ['account.second_factor.begin'],
    statements: 20,
  },
  confirmOwnTotp: {
    given: waitingOwn,
    audit: ['account.second_factor.add'],
    statements: 30,
    after: tidied,
  },
  confirmOwnTotpForm: {
    given: waiting,
    send: (given) => ({ ...asItself(given), form: { code: given.code! } }),
    status: 200,
    audit: ['account.second_factor.add'],
    statements: 32,
  },
  removeOwnSecondFactor: {
    given: countingOwn,
    audit: ['account.second_factor.remove'],
    statements: 20,
    after: tidied,
  },
  removeOwnSecondFactorForm: {
    given: counting,
    send: (given) => ({ ...asItself(given), form: { own_password: PASSWORD } }),
    audit: ['account.second_factor.remove'],
    statements: 20,
  },
  secondFactorRemovePage: { given: counting, send: asItself },
  makeOwnRecoveryCodes: {
    given: countingOwn,
    audit: ['account.second_factor.recovery_codes'],
    statements: 24,
    after: tidied,
  },
  makeOwnRecoveryCodesForm: {
    given: counting,
    send: (given) => ({ ...asItself(given), form: { own_password: PASSWORD } }),
    status: 200,
    audit: ['account.second_factor.recovery_codes'],
    statements: 24,
  },
  listUserSecondFactors: { given: counting, statements: 6 },
  resetUserSecondFactors: { given: counting, audit: ['user.second_factors.reset'], statements: 14 },
  resetUserSecondFactorsForm: {
    given: counting,
    send: () => ({ form: { own_password: PASSWORD } }),
    audit: ['user.second_factors.reset'],
    statements: 14,
  },
  userSecondFactorsPage: { given: counting },
  updateSecondFactorPolicy: { audit: ['second_factor_policy.update'], statements: 9 },
  updateSecondFactorPolicyForm: {
    send: () => ({ form: { roles: ['viewer'], user_verification: 'preferred', own_password: PASSWORD } }),
    audit: ['second_factor_policy.update'],
  },
  userPage: { given: user },
};
