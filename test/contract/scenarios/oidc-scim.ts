// The SCIM target of a client of OpenID Connect, over the API and on its page; the server is a fake that speaks TLS and no SCIM.
import { makeCertificate, startTlsTarget, type TlsTarget } from '../../fakes/tls-target.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const CLIENTS = '/api/v1/oidc/clients';
const BASE_URL = 'https://vc01.lab.example/usergroup/t/CUSTOMER/scim/v2';
const certificate = makeCertificate();
const running = new Map<string, TlsTarget>();

async function client({ api, next }: Scene): Promise<Given> {
  const redirect_uris = ['https://app.lab.example/callback'];
  const { body } = await api('POST', CLIENTS, { name: `Provisioned ${next()}`, redirect_uris });
  return { oidc_client_id: body.client.id };
}

async function target(scene: Scene, base_url = BASE_URL): Promise<Given> {
  const given = await client(scene);
  const at = `${CLIENTS}/${given.oidc_client_id}/scim`;
  const { body } = await scene.api('PUT', at, { base_url, token: 'of-the-lab', enabled: false });
  return { ...given, revision: String(body.revision), base_url };
}

/** At a server on loopback that runs until `settled`. */
async function reachable(scene: Scene): Promise<Given> {
  await scene.api('PATCH', '/api/v1/remote/settings', { allowed_networks: ['127.0.0.0/8'] });
  const server = await startTlsTarget({ certificate });
  const base_url = `https://127.0.0.1:${server.port}/scim/v2`;
  running.set(base_url, server);
  return { ...(await target(scene, base_url)), sha256: certificate.sha256 };
}

async function confirmed(scene: Scene): Promise<Given> {
  const given = await reachable(scene);
  const at = `${CLIENTS}/${given.oidc_client_id}/scim`;
  await scene.api('POST', `${at}/confirm-certificate`, { sha256: certificate.sha256 });
  return given;
}

async function settled({ house, api }: Scene, { base_url }: Given): Promise<void> {
  await house.appliance.runner.idle();
  await running.get(base_url!)?.stop();
  running.delete(base_url!);
  await api('PATCH', '/api/v1/remote/settings', { allowed_networks: [] });
}

const fields = ({ revision = '0' }: Given) => ({
  form: { base_url: BASE_URL, token: 'of-the-lab', departed: 'deactivate', groups: '', domain: '', revision },
});

export const OIDC_SCIM_SCENARIOS: Scenarios = {
  getOidcScimTarget: { given: target },
  putOidcScimTarget: { given: client, audit: ['oidc.scim.save'], statements: 8 },
  deleteOidcScimTarget: { given: target, audit: ['oidc.scim.delete'] },
  lookAtOidcScimCertificate: { given: reachable, audit: ['remote.target.probe'], after: settled, statements: 18 },
  confirmOidcScimCertificate: { given: reachable, audit: ['oidc.scim.trust'], after: settled, statements: 18 },
  pushOidcScim: { given: confirmed, audit: ['oidc.scim.push'], after: settled, statements: 12 },
  listOidcScimObjects: { given: target },

  oidcScimPage: { given: target },
  putOidcScimTargetForm: { given: client, send: fields, audit: ['oidc.scim.save'], statements: 8 },
  deleteOidcScimTargetForm: {
    given: target,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['oidc.scim.delete'],
  },
  lookAtOidcScimCertificateForm: {
    given: reachable,
    send: () => ({ form: {} }),
    status: 200,
    audit: ['remote.target.probe'],
    after: settled,
    statements: 30,
  },
  confirmOidcScimCertificateForm: {
    given: reachable,
    send: ({ sha256 }) => ({ form: { sha256: sha256! } }),
    audit: ['oidc.scim.trust'],
    after: settled,
    statements: 18,
  },
  pushOidcScimForm: {
    given: confirmed,
    send: () => ({ form: {} }),
    audit: ['oidc.scim.push'],
    after: settled,
    statements: 18,
  },
};
