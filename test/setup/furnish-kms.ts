// The furnished appliance's key management: a provider with a client and keys, and requests that were made.
import { instant } from '../../shared/ground/clock.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { insertKey } from '../../shared/services/kms/keys/key-rows.ts';
import { sealMaterial } from '../../shared/services/kms/keys/material.ts';
import { encode } from '../../shared/services/kms/protocol/ttlv.ts';
import { Trace } from '../../shared/services/kms/serving/trace.ts';
import { readClientCertificate } from '../../shared/services/kms/trust/client-certificate.ts';
import { addClient, removeClient } from '../../shared/services/kms/trust/clients.ts';
import { PASSWORD } from './house.ts';
import { selfSigned } from './self-signed.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

const attribute = (name: string, value: string) => ({
  name,
  index: 0,
  value: encode({ tag: 0x42000b, type: 7, value }).toString('hex'),
});

const KEYS = [
  ['key_furnished0000001', 'active', null],
  ['key_furnished0000002', 'deactivated', null],
  ['key_furnished0000003', 'deactivated', 'now'],
] as const;

const told = {
  provider: 'management-domain',
  client: 'vc01.lab.example',
  source_address: '10.10.0.9',
  version: '1.1',
  took_ms: 4,
};

/** Answers a sample of each path parameter. */
export async function furnishKms(
  services: Services,
  call: Call,
): Promise<Record<'provider_id' | 'client_id' | 'key_id', string>> {
  const provider = { name: 'management-domain', description: 'vc01 of the management domain' };
  const { id: provider_id } = await call('POST', '/api/v1/kms/providers', provider);
  const { certificate } = selfSigned('vc01.lab.example');
  const sent = { provider_id, name: 'vc01.lab.example', certificate, own_password: PASSWORD };
  const client = await call('POST', '/api/v1/kms/clients', sent);
  const at = instant(services.clock.now());
  await services.store.write(async (tx) => {
    for (const [id, state] of KEYS) {
      const sealed = await sealMaterial(services, id, services.entropy.bytes(32));
      const times = { activated_at: at, deactivated_at: state === 'active' ? null : at, compromised_at: null };
      const attributes = [attribute('x-Vendor', 'VMware, Inc.'), attribute('x-Product', 'VMware vSphere')];
      const kind = { origin: 'created', length_bits: 256, usage_mask: 12, created_by: 'vc01.lab.example' } as const;
      await insertKey(tx, {
        id,
        provider_id,
        state,
        attributes,
        ...kind,
        ...times,
        created_at: at,
        changed_at: at,
        ...sealed,
      });
    }
    await tx.run('UPDATE kms_key SET destroyed_at = ? WHERE id = ?', [at, KEYS[2][0]]);
  });
  await formerClient(services, provider_id);
  const trace = new Trace(services);
  const [key_id] = KEYS[0];
  trace.add({ client, sha256: client.sha256 }, [
    { ...told, operation: 'Create', key_id, attributes: ['Cryptographic Algorithm'], result: 'success', got: false },
    { ...told, operation: 'Get', key_id, attributes: [], result: 'success', got: true },
    { ...told, operation: 'Get', key_id: null, attributes: [], result: 'There is no such key.', got: false },
  ]);
  await trace.flush();
  return { provider_id, client_id: client.id, key_id: KEYS[2][0] };
}

/** One that is remembered as removed. */
async function formerClient(services: Services, provider_id: string): Promise<void> {
  const certificate = readClientCertificate(
    selfSigned('former.lab.example').certificate,
    instant(services.clock.now()),
  );
  const trusted = { provider_id, name: 'former.lab.example', origin: 'uploaded', certificate, by: 'ada' } as const;
  await services.store.write(async (tx) => {
    const { client } = await addClient(tx, services, trusted);
    await removeClient(tx, services, client.id, 'ada');
  });
}
