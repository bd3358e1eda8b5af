// Keys in archives: an encrypted one brings the identical key to an empty appliance, where the same client gets it; one without
// secrets has nothing of them; and an older state never takes a key away or turns one back.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { emptyState } from '../../../../shared/appliance/archive/empty.ts';
import { stateNow } from '../../../../shared/appliance/archive/now.ts';
import { restoreState } from '../../../../shared/appliance/archive/restore.ts';
import type { State } from '../../../../shared/appliance/archive/rows.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { CREATE, idIn, materialIn, named, read, request } from '../../../setup/kmip-messages.ts';
import { addProvider, ask, type KmsSide, openKms } from '../../../setup/kms-side.ts';

let side: KmsSide;
let empty: KmsSide;
let id: string;

const folder = () => mkdtempSync(join(tmpdir(), 'groundcrew-kms-archive-'));
const get = async (of: KmsSide, key: string) =>
  read(await ask(of, request([{ operation: 'Get', payload: [named(key)] }])));

beforeAll(async () => {
  side = await openKms(folder());
  empty = await openKms(folder());
  await addProvider(side);
  id = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
}, 60_000);
afterAll(() => Promise.all([side?.store.close(), empty?.store.close()]));

/** All of now, as an encrypted archive has it. */
const archived = (of: KmsSide): Promise<State> =>
  of.store.write((tx) => stateNow(tx, of, { state: NOTHING_KNOWN, many: [] }));
const NOTHING_KNOWN: State = new Map(
  ['kms_provider', 'kms_client', 'kms_key'].map((table) => [table, [{ id: 'x' }]] as const),
);
const restore = (into: KmsSide, state: State) =>
  into.store.write((tx) =>
    restoreState(tx, into, systemActor('test'), { state, many: [] }, { mode: 'replace', units: null }),
  );

const onlyKms = (state: State): State => new Map([...state].filter(([table]) => table.startsWith('kms_')));

test('an empty appliance gives the identical key, sealed under a key of its own', async () => {
  const state = onlyKms(await archived(side));
  expect(state.get('kms_key')).toHaveLength(1);
  expect((await get(empty, id)).items[0]!.status).toBe(1);
  await restore(empty, state);
  expect(materialIn(await get(empty, id))).toEqual(materialIn(await get(side, id)));
  const [one, other] = await Promise.all(
    [side, empty].map(({ store }) => store.one<{ kek_id: string }>('SELECT kek_id FROM kms_key')),
  );
  expect(one!.kek_id).not.toBe(other!.kek_id);
});

test('an older state takes no key away and turns none back', async () => {
  const old = onlyKms(await archived(side));
  const later = idIn(read(await ask(side, request([{ operation: 'Create', payload: CREATE }]))));
  const reason = { tag: 0x420081, type: 1 as const, value: [{ tag: 0x420082, type: 5 as const, value: 1 }] };
  await ask(side, request([{ operation: 'Revoke', payload: [named(id), reason] }]));
  const rows = () => side.store.all('SELECT * FROM kms_key ORDER BY id');
  const before = await rows();
  await restore(side, old);
  expect(await rows()).toEqual(before);
  expect((await get(side, later)).items[0]!.status).toBe(0);
});

test('a factory reset leaves keys, providers and clients', async () => {
  const before = await side.store.all('SELECT * FROM kms_key ORDER BY id');
  const state = emptyState(await archived(side));
  await restore(side, onlyKms(state));
  expect(await side.store.all('SELECT * FROM kms_key ORDER BY id')).toEqual(before);
  expect(await side.store.all('SELECT id FROM kms_provider')).toHaveLength(1);
});
