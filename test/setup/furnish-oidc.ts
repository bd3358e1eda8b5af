// The furnished appliance's OpenID Connect: a client, and signing keys as they are made when the provider is first in force.
import type { Services } from '../../shared/kernel/operation/services.ts';
import { ensureKeys, newKeyPem } from '../../shared/services/oidc/keys/signing-keys.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

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
  return { oidc_client_id: made.client.id };
}
