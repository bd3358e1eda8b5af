// A snapshot that is put back takes no key of key management away, unless that is asked for.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { putBack } from '../../runtime/put-back.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { CREATE, idIn, read, request } from '../setup/kmip-messages.ts';
import { addProvider, ask, openKms } from '../setup/kms-side.ts';
import { system } from '../setup/vault-scene.ts';

let data: string;
let name: string;
const ids: string[] = [];

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-put-back-keys-'));
  const side = await openKms(data);
  await addProvider(side);
  const create = async () => ids.push(idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }])))));
  await create();
  name = (await takeSnapshot(join(data, DATABASE_FILE), 'on-request', systemClock)).name;
  await create();
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
  await expect(put(false)).rejects.toThrow(`One key of key management came after the snapshot ${name}: ${ids[1]}.`);
  expect(await held()).toEqual(ids);
});

test('whoever asks for it loses them, and keeps a snapshot of before', async () => {
  const { kept } = await put(true);
  expect(await held()).toEqual([ids[0]]);
  expect(kept).not.toBeNull();
});
