// Key management: providers, clients and keys, their pages and forms.
import { instant } from '../../../shared/ground/clock.ts';
import { createRoot } from '../../../shared/platform/certificate-authority/authority.ts';
import { certificateAuthoritySettings } from '../../../shared/platform/certificate-authority/settings.ts';
import { saveSettings } from '../../../shared/platform/units/settings-store.ts';
import { insertKey } from '../../../shared/services/kms/keys/key-rows.ts';
import { sealMaterial } from '../../../shared/services/kms/keys/material.ts';
import { PASSWORD } from '../../setup/house.ts';
import { selfSigned } from '../../setup/self-signed.ts';
import { plainRequest } from '../../setup/signing-request.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const KMS = '/api/v1/kms';
/** Statements of the own password with a token: its user, and what a form takes for it. */
const OWN_PASSWORD = 7;

const name = async ({ next }: Scene): Promise<Given> => ({ name: `provider-${next()}` });

async function provider(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', `${KMS}/providers`, await name(scene));
  return { provider_id: body.id, revision: String(body.revision) };
}

/** A provider, and a certificate that is not trusted yet. */
async function stranger(scene: Scene): Promise<Given> {
  const { provider_id } = await provider(scene);
  return { provider_id: provider_id!, certificate: selfSigned(`vc${scene.next()}.lab.example`).certificate };
}

async function client(scene: Scene): Promise<Given> {
  const { provider_id, certificate } = await stranger(scene);
  const { body } = await scene.api('POST', `${KMS}/clients`, {
    provider_id,
    name: 'vc01',
    certificate,
    own_password: PASSWORD,
  });
  return { provider_id: provider_id!, client_id: body.id };
}

/** A provider, a root, and a request. */
async function withRoot(scene: Scene): Promise<Given> {
  const { services } = scene.house.appliance;
  await services.store.write(async (tx) => {
    const patch = { enabled: true, key_algorithm: 'ecdsa-p256' as const };
    await saveSettings(tx, services, certificateAuthoritySettings, patch, null);
    await tx.run('DELETE FROM certificate_request');
    await tx.run('DELETE FROM issued_certificate');
    await tx.run('DELETE FROM certificate_authority');
  });
  await services.store.write((tx) => createRoot(tx, services, 'ada'));
  const { provider_id } = await provider(scene);
  return { provider_id: provider_id!, csr: plainRequest().csr };
}

async function key(scene: Scene): Promise<Given> {
  const { provider_id } = await provider(scene);
  const { services } = scene.house.appliance;
  const id = `key_scenario${scene.next()}`;
  const at = instant(services.clock.now());
  await services.store.write(async (tx) => {
    const sealed = await sealMaterial(services, id, Buffer.alloc(32, 7));
    const times = { activated_at: at, deactivated_at: at, compromised_at: null, created_at: at, changed_at: at };
    const kind = { origin: 'created', state: 'deactivated', length_bits: 256, usage_mask: 12 } as const;
    const row = { id, provider_id: provider_id!, attributes: [], created_by: 'vc01' };
    await insertKey(tx, { ...row, ...kind, ...times, ...sealed });
  });
  return { provider_id: provider_id!, key_id: id };
}

async function destroyed(scene: Scene): Promise<Given> {
  const given = await key(scene);
  const { store, clock } = scene.house.appliance.services;
  const at = instant(clock.now());
  await store.write((tx) => tx.run('UPDATE kms_key SET destroyed_at = ? WHERE id = ?', [at, given.key_id!]));
  return given;
}

const PROVIDER_FORM = (given: Given) => ({
  form: { ...(given.revision && { revision: given.revision }), name: given.name!, description: '' },
});
const fields = ({ provider_id, certificate, csr }: Given) => ({
  form: {
    provider_id: provider_id!,
    name: 'vc01.lab.example',
    names: 'vc01.lab.example',
    own_password: PASSWORD,
    ...(certificate && { certificate }),
    ...(csr && { csr }),
  },
});

export const KMS_SCENARIOS: Scenarios = {
  createKeyProvider: { given: name, audit: ['kms.provider.create'] },
  getKeyProvider: { given: provider },
  updateKeyProvider: { given: provider, audit: ['kms.provider.update'] },
  // Its clients and erased keys are remembered, and who was given them is not.
  deleteKeyProvider: { given: provider, audit: ['kms.provider.delete'], statements: 12 },
  uploadKmsClient: { given: stranger, audit: ['kms.client.create'], statements: 12 + OWN_PASSWORD },
  signKmsClient: {
    given: withRoot,
    audit: ['certificate.issue', 'kms.client.create'],
    statements: 19 + OWN_PASSWORD,
  },
  makeKmsClient: {
    given: withRoot,
    audit: ['certificate.issue', 'kms.client.create'],
    statements: 19 + OWN_PASSWORD,
  },
  getKmsClient: { given: client },
  deleteKmsClient: { given: client, audit: ['kms.client.delete'], statements: 9 },
  getKmsKey: { given: key },
  listKmsKeyReceivers: { given: key },
  // Settings, the newest copy, the keys, destroyed ones, and clients that end.
  getKmsProtection: { statements: 6 },
  bringBackKmsKey: { given: destroyed, audit: ['kms.key.bring-back'], statements: 7 + OWN_PASSWORD },
  // The same, the providers, and the certificate that is shown.
  kmsPage: { statements: 13 },

  keyProviderPage: { given: client },
  editKeyProviderPage: { given: provider },
  deleteKeyProviderPage: { given: provider },
  kmsClientPage: { given: client },
  deleteKmsClientPage: { given: client },
  kmsKeyPage: { given: destroyed },

  createKeyProviderForm: { given: name, send: PROVIDER_FORM, audit: ['kms.provider.create'] },
  updateKeyProviderForm: {
    given: async (scene) => ({ ...(await provider(scene)), ...(await name(scene)) }),
    send: PROVIDER_FORM,
    audit: ['kms.provider.update'],
  },
  deleteKeyProviderForm: {
    given: provider,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['kms.provider.delete'],
    statements: 12,
  },
  uploadKmsClientForm: { given: stranger, send: fields, audit: ['kms.client.create'], statements: 11 },
  signKmsClientForm: {
    given: withRoot,
    send: fields,
    audit: ['certificate.issue', 'kms.client.create'],
    statements: 18,
  },
  makeKmsClientForm: {
    given: withRoot,
    send: fields,
    status: 200,
    audit: ['certificate.issue', 'kms.client.create'],
    statements: 40,
  },
  deleteKmsClientForm: { given: client, send: () => ({ form: {} }), audit: ['kms.client.delete'], statements: 9 },
  bringBackKmsKeyForm: {
    given: destroyed,
    send: () => ({ form: { own_password: PASSWORD } }),
    audit: ['kms.key.bring-back'],
  },
};
