// A snapshot that is put back takes no key of key management away, unless that is asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { putBack } from '../../runtime/put-back.ts';
import { instant, systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { eraseDestroyed } from '../../shared/services/kms/keys/administration.ts';
import { remember, remembered } from '../../shared/services/kms/keys/remembered.ts';
import { callerOf } from '../../shared/services/kms/serving/caller.ts';
import { readClientCertificate } from '../../shared/services/kms/trust/client-certificate.ts';
import { addClient, removeClient } from '../../shared/services/kms/trust/clients.ts';
import { clientPem } from '../setup/client-pem.ts';
import { CREATE, idIn, read, request } from '../setup/kmip-messages.ts';
import { addProvider, ask, openKms, PROVIDER } from '../setup/kms-side.ts';
import { system } from '../setup/vault-scene.ts';

const CLIENT = await clientPem('vc01.lab.example');
let data: string;
let name: string;
const ids: string[] = [];

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-put-back-keys-'));
  const side = await openKms(data);
  await addProvider(side);
  const create = async () => ids.push(idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }])))));
  await create();
  await create();
  const certificate = readClientCertificate(CLIENT, instant(side.clock.now()));
  const trusted = { provider_id: PROVIDER.id, name: 'vc01', origin: 'uploaded', certificate, by: 'ada' } as const;
  const { client } = await side.store.write((tx) => addClient(tx, side, trusted));
  name = (await takeSnapshot(join(data, DATABASE_FILE), 'on-request', systemClock)).name;
  await create();
  await side.store.write((tx) => removeClient(tx, side, client.id, 'ada'));
  await side.store.write((tx) =>
    tx.run("UPDATE kms_key SET destroyed_at = '2020-01-01T00:00:00.000Z' WHERE id = ?", [ids[1]!]),
  );
  await eraseDestroyed(side as never);
  await side.store.close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

const put = (lose_values: boolean) =>
  putBack({ data, name, lose_values, clock: systemClock, entropy: systemEntropy, context: system() });

async function held(): Promise<string[]> {
  const side = await openKms(data);
  const rows = await side.store.all<{ id: string }>('SELECT id FROM kms_key ORDER BY created_at');
  await side.store.close();
  return rows.map(({ id }) => id);
}

test('keys that were made since are named, and nothing is changed', async () => {
  await expect(put(false)).rejects.toThrow(`One key of key management came after the snapshot ${name}: ${ids[2]}.`);
  expect(await held()).toEqual(ids);
});

test('whoever asks for it loses them, and keeps a snapshot of before', async () => {
  const { kept } = await put(true);
  expect(await held()).toEqual([ids[0], ids[1]]);
  expect(kept).not.toBeNull();
});

test('a client that was removed since is not let in again, and material that was erased is not there again', async () => {
  const side = await openKms(data);
  const { sha256 } = readClientCertificate(CLIENT, instant(side.clock.now()));
  expect(await side.store.all('SELECT sha256 FROM kms_client')).toEqual([{ sha256 }]);
  expect(await callerOf(side.store, side, sha256, '192.0.2.9')).toBeNull();
  expect(await side.store.all("SELECT id FROM kms_key WHERE kek_id <> ''")).toEqual([{ id: ids[0] }]);
  await side.store.close();
});

test('a client that was removed since is not in what knows no tombstones either', async () => {
  const side = await openKms(data);
  const { tombstones, erased } = await remembered(side.store);
  expect(tombstones).toMatchObject([{ kind: 'client', name: 'vc01' }]);
  await side.store.write(async (tx) => {
    await tx.run('DROP TABLE kms_tombstone');
    await remember(tx, { tombstones, erased });
    expect(await tx.all('SELECT sha256 FROM kms_client')).toEqual([]);
  });
  await side.store.close();
});
