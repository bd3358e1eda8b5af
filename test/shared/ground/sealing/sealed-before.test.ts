// What an earlier release sealed, opened by this one: these texts lie in databases and data folders. Each was made by the
// release that had a cipher of its own for it.
import { createSecretKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemEntropy } from '../../../../shared/ground/clock.ts';
import { openEntry, rewrap, type Sealed, type SealedPlace } from '../../../../shared/ground/sealing/envelope.ts';
import { KEYS_FILE, type Keys, openKeys } from '../../../../shared/ground/sealing/keys.ts';
import { openText, sealedDigest } from '../../../../shared/ground/sealing/sealed-text.ts';
import { storedAnswer } from '../../../../shared/kernel/operation/middleware/idempotency.ts';
import type { Services } from '../../../../shared/kernel/operation/services.ts';

const KEK = { id: 'kek_before', key: createSecretKey(Buffer.alloc(32, 9)) };
let folder: string;
let keys: Keys;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundcrew-sealed-'));
  const root = Buffer.alloc(32, 7).toString('base64url');
  await writeFile(join(folder, KEYS_FILE), JSON.stringify({ version: 1, root }), { mode: 0o600 });
  keys = await openKeys(folder, systemEntropy, true);
});
afterAll(() => rm(folder, { recursive: true }));

const ENTRIES: [string, SealedPlace, Sealed, string][] = [
  [
    'a value of a vault',
    { vault_id: 'vault_a', entry_id: 'entry_a', field: 'value' },
    {
      kek_id: KEK.id,
      sealed_key: 'vk1.Djxl5a1S-ST6qMZN9-oHbq8FddyiTf0_hc0EvfZREI4ibRyAVUpWQqc0cAyK5-sdEv_ohJO2Ckz6cP3T',
      sealed_value: 'vv1.T0aJTKRZub-hU9XvWjfMOOo3G_c0zVUU59QFSsqSVMs3kbKCT3Cen8pczNCpeQ',
    },
    'value of before ü',
  ],
  [
    'a private key',
    { table: 'certificate', row: 'cert_a', field: 'private_key' },
    {
      kek_id: KEK.id,
      sealed_key: 'vk1.Xhh12CzqO6bsKLQOhuXhBkwtPBfBRNmxxXgiihNbJYPMNTbRznVTiFwB2auwK-_T9sAlbmKDDvIMqUmi',
      sealed_value: 'vv1.8txC0nVlNN0WeQtcEtxujsHtIGLGBA_8J7dfNTo_WCP2NTeAZ_8ekjw',
    },
    'key of before',
  ],
];

test.each(ENTRIES)('%s', (_what, place, sealed, value) => {
  expect(openEntry(KEK, place, sealed)).toBe(value);
  const next = { id: 'kek_next', key: createSecretKey(Buffer.alloc(32, 5)) };
  const sealed_key = rewrap(KEK, next, place, sealed.sealed_key, systemEntropy);
  expect(openEntry(next, place, { ...sealed, kek_id: next.id, sealed_key })).toBe(value);
});

test('a text of a Kickstart, and its digest', () => {
  const place = { table: 'network_boot_kickstart', row: 'ks_a', field: 'text' };
  const sealed = 's1.vYOFDMzlBZXYDtk1OYALq39OYIaSwcCwfd48J-A75ACbo9Qn5AklEPgwRTBC';
  expect(openText(keys, place, sealed)).toBe('text of before ü');
  expect(sealedDigest(keys, place, 'text of before ü')).toBe(
    '1246c2ba8cc6f690e61be5b423083f238a50b75b941bd1d6cd8be5195d9ff39f',
  );
});

test('a stored answer', async () => {
  const answer =
    'Be4ZjwBDtOYxfmSLNqbNlG2-n_Xi_HdgnWTQhmoQjaGPuIcLcZvBMKyO_k1F0dtQPIyLjvtGD7fU4pil5odAkNNGDXrHGl9_ijLEd2a7heav4oINZ8Xsshvh_BXKPQ';
  const stored = (text: string) => ({ one: async () => ({ request_hash: 'h', answer: text }) }) as never;
  const asked = { key: 'k', request_hash: 'h' };
  expect(await storedAnswer(stored(answer), { keys } as Services, 'tok_a', asked)).toEqual({
    statusCode: 201,
    headers: { a: 'b', 'idempotency-replayed': 'true' },
    body: '{"secret":"s"}',
  });
  const damaged = storedAnswer(stored(`A${answer.slice(1)}`), { keys } as Services, 'tok_a', asked);
  await expect(damaged).rejects.toThrow(/can’t be opened/);
});
