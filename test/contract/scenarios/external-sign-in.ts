// The external provider of the sign-in: its settings, and signing in at one that runs beside the test.
import { type FakeProvider, startOpenIdProvider, visit } from '../../fakes/openid-provider.ts';
import { PASSWORD, type Send } from '../../setup/house.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const PATH = '/api/v1/sign-in-provider';
const SIGN_IN = '/ui/management/sign-in';
const ISSUER = 'https://id.lab.example';
const ROLES = [{ group: 'gc-viewers', role: 'viewer' }];
const running = new Map<string, FakeProvider>();

async function saved({ api, next }: Scene, more: object = {}): Promise<Given> {
  const about = { name: `Lab ${next()}`, issuer: ISSUER, client_id: 'gc', client_secret: 'of-the-lab', roles: ROLES };
  const { body } = await api('PUT', PATH, { ...about, ...more });
  return { revision: String(body.revision) };
}

async function fresh({ api, next }: Scene): Promise<Given> {
  const { status } = await api('GET', PATH).catch(() => ({ status: 404 }));
  if (status === 200) await api('DELETE', PATH);
  return { name: `Lab ${next()}`, revision: '0' };
}

/** At a provider on loopback that runs until `settled`. */
async function reachable(scene: Scene): Promise<Given> {
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const redirect_uri = `${scene.house.origin}${SIGN_IN}/external/callback`;
  const sub = `person-${scene.next()}`;
  const person = { sub, preferred_username: sub, groups: ['gc-viewers'] };
  const fake = await startOpenIdProvider({ redirect_uri, person });
  running.set(fake.issuer, fake);
  const { issuer, client_id, client_secret, sha256 } = fake;
  return { ...(await saved(scene, { issuer, client_id, client_secret })), sha256, issuer };
}

async function offered(scene: Scene): Promise<Given> {
  const given = await reachable(scene);
  await scene.api('POST', `${PATH}/confirm-certificate`, { sha256: given.sha256 });
  return given;
}

const asProgram = ({ cookie, state, code, iss }: Given): Send => ({
  session: { cookie: cookie!, csrf: '' },
  form: { state: state!, code: code!, iss: iss! },
  headers: { origin: undefined as never },
});

/** Somebody who was here before is back in the browser; the form comes from no other page, as from a program. */
async function back(scene: Scene): Promise<Given> {
  const given = await offered(scene);
  await scene.house.send('POST', `${SIGN_IN}/external/finish`, asProgram(await atProvider(scene)));
  return { ...given, ...(await atProvider(scene)) };
}

async function atProvider(scene: Scene): Promise<Given> {
  const begun = await scene.house.send('POST', `${SIGN_IN}/external`, { form: { return_to: '' } });
  const [cookie] = begun.cookies[0]!.split(';') as [string];
  const callback = new URL(await visit(begun.body.location));
  return { cookie, ...Object.fromEntries(callback.searchParams) };
}

async function settled({ api }: Scene, { issuer }: Given): Promise<void> {
  await running.get(issuer!)?.stop();
  running.delete(issuer!);
  await api('DELETE', PATH);
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
}

const fields = ({ name, revision }: Given): Send => ({
  form: {
    ...{ name: name!, revision: revision!, issuer: ISSUER, client_id: 'gc', client_secret: 'of-the-lab' },
    ...{ scopes: 'openid', groups_claim: 'groups', roles: 'gc-viewers = viewer', own_password: PASSWORD },
  },
});

export const EXTERNAL_SIGN_IN: Scenarios = {
  getSignInProvider: { given: saved },
  putSignInProvider: { given: fresh, audit: ['sign_in_provider.save'], statements: 10 },
  deleteSignInProvider: { given: saved, audit: ['sign_in_provider.delete'], statements: 10 },
  lookAtSignInProviderCertificate: {
    given: reachable,
    audit: ['remote.target.probe'],
    after: settled,
    statements: 18,
  },
  confirmSignInProviderCertificate: {
    given: reachable,
    audit: ['sign_in_provider.trust'],
    after: settled,
    statements: 18,
  },
  signInProviderPage: { given: saved },
  putSignInProviderForm: { given: fresh, send: fields, audit: ['sign_in_provider.save'], statements: 14 },
  deleteSignInProviderForm: {
    given: saved,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['sign_in_provider.delete'],
    statements: 10,
  },
  lookAtSignInProviderCertificateForm: {
    given: reachable,
    send: () => ({ form: {} }),
    status: 200,
    audit: ['remote.target.probe'],
    after: settled,
    statements: 30,
  },
  confirmSignInProviderCertificateForm: {
    given: reachable,
    send: ({ sha256 }) => ({ form: { sha256: sha256!, own_password: PASSWORD } }),
    audit: ['sign_in_provider.trust'],
    after: settled,
    statements: 22,
  },
  beginExternalSignInForm: {
    given: offered,
    send: () => ({ form: { return_to: '' } }),
    status: 200,
    audit: ['session.external'],
    after: settled,
    statements: 14,
  },
  finishExternalSignInForm: {
    given: back,
    send: asProgram,
    audit: ['session.start'],
    after: settled,
    statements: 30,
  },
};
