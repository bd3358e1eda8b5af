// OpenID Connect: clients and signing keys, their pages and forms.
import { ensureKeys, newKeyPem } from '../../../shared/services/oidc/keys/signing-keys.ts';
import { listOidcSessions, noteSession } from '../../../shared/services/oidc/sessions/sessions.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const CLIENTS = '/api/v1/oidc/clients';
const REDIRECT = 'https://app.lab.example/callback';

const name = async ({ next }: Scene): Promise<Given> => ({ name: `Client ${next()}` });

async function client(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', CLIENTS, { ...(await name(scene)), redirect_uris: [REDIRECT] });
  return { oidc_client_id: body.client.id, revision: String(body.client.revision) };
}

async function keys({ house }: Scene): Promise<Given> {
  const { services } = house.appliance;
  const pems = [await newKeyPem(), await newKeyPem()] as const;
  await services.store.write((tx) => ensureKeys(tx, services, pems));
  return {};
}

const SUBJECT = '5f0c9a4e-6a0e-4a3b-9f59-2f2b8a1f6f10';

/** Of somebody of the directory, in a client. */
async function session({ house, next }: Scene): Promise<Given> {
  const { services } = house.appliance;
  const uid = `scenario ${next()}`;
  const until = Math.floor(Date.now() / 1000) + 3600;
  const seen = { user_name: uid, source: 'directory', organization: 'lab', source_address: '192.0.2.30' } as const;
  await services.store.write((tx) => noteSession(tx, services, { uid, accountId: SUBJECT }, until, seen));
  const { items } = await listOidcSessions(services.store, { user_name: uid, limit: 1 }, new Date());
  return { session_id: items[0]!.id };
}

const fields = ({ name: called = 'Client', revision }: Given) => ({
  form: {
    name: called,
    preset: 'generic',
    people: 'appliance:',
    requires_pkce: 'yes',
    redirect_uris: REDIRECT,
    ...(revision && { revision }),
  },
});

export const OIDC_SCENARIOS: Scenarios = {
  createOidcClient: { given: name, audit: ['oidc.client.create'] },
  getOidcClient: { given: client },
  updateOidcClient: { given: client, audit: ['oidc.client.update'] },
  deleteOidcClient: { given: client, audit: ['oidc.client.delete'] },
  rotateOidcClientSecret: { given: client, audit: ['oidc.client.rotate_secret'] },
  listOidcSigningKeys: { given: keys },
  rotateOidcSigningKeys: { given: keys, audit: ['oidc.signing_key.rotate'], statements: 12 },

  listOidcSessions: { given: session },
  endOidcSession: { given: session, audit: ['oidc.session.end'] },
  endOidcSessions: { given: session, audit: ['oidc.sessions.end'] },
  oidcSessionsPage: { given: session },
  endOidcSessionForm: { given: session, audit: ['oidc.session.end'] },
  endOidcSessionsForm: {
    given: session,
    send: () => ({ form: { subject: SUBJECT } }),
    audit: ['oidc.sessions.end'],
  },

  oidcClientPage: { given: client },
  editOidcClientPage: { given: client },
  deleteOidcClientPage: { given: client },

  createOidcClientForm: { given: name, send: fields, status: 200, audit: ['oidc.client.create'], statements: 30 },
  updateOidcClientForm: {
    given: async (scene) => ({ ...(await client(scene)), ...(await name(scene)) }),
    send: fields,
    audit: ['oidc.client.update'],
  },
  deleteOidcClientForm: {
    given: client,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['oidc.client.delete'],
  },
  rotateOidcClientSecretForm: {
    given: client,
    send: ({ revision }) => ({ form: { revision: revision!, overlap_hours: '1' } }),
    status: 200,
    audit: ['oidc.client.rotate_secret'],
    statements: 30,
  },
  rotateOidcSigningKeysForm: {
    given: keys,
    send: () => ({ form: {} }),
    audit: ['oidc.signing_key.rotate'],
    statements: 12,
  },
};
