// The furnished appliance's OpenID Connect: a client, and signing keys as they are made when the provider is first in force.
import type { Services } from '../../shared/kernel/operation/services.ts';
import type { Payload } from '../../shared/services/oidc/artifacts/artifacts.ts';
import { ensureKeys, newKeyPem } from '../../shared/services/oidc/keys/signing-keys.ts';
import { noteSession, type Seen } from '../../shared/services/oidc/sessions/sessions.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

/** A session of a person of the directory, as the provider saves it. */
const signedInTo = (client_id: string, now: Date): [payload: Payload, until: number, seen: Seen] => [
  {
    uid: 'furnished',
    accountId: '5f0c9a4e-6a0e-4a3b-9f59-2f2b8a1f6f10',
    loginTs: seconds(now) - 600,
    authorizations: { [client_id]: { grantId: 'furnished' } },
  },
  seconds(now) + 3600,
  { user_name: 'grace', source: 'directory', organization: 'lab', source_address: '192.0.2.30' },
];

/** Answers a sample of each path parameter. */
export async function furnishOidc(services: Services, call: Call): Promise<Record<'oidc_client_id', string>> {
  const made = await call('POST', '/api/v1/oidc/clients', {
    name: 'vCenter of the management domain',
    preset: 'vcenter',
    redirect_uris: ['https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2'],
    sends_groups: [{ group: 'admin', as: 'vcenter-admins' }],
  });
  await call('PUT', `/api/v1/oidc/clients/${made.client.id}/scim`, {
    base_url: 'https://vc01.lab.example/usergroup/t/CUSTOMER/scim/v2',
    token: 'furnished-scim-token-7Kq2',
    domain: 'lab.example',
  });
  const pems = [await newKeyPem(), await newKeyPem()] as const;
  await services.store.write((tx) => ensureKeys(tx, services, pems));
  await services.store.write((tx) => noteSession(tx, services, ...signedInTo(made.client.id, services.clock.now())));
  return { oidc_client_id: made.client.id };
}
