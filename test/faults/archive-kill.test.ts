// kill -9 at each statement of a restore, whichever database it is of: a start finds the state of before or that of the
// archive, whole, with the audit event that says so, and the snapshot whole or not there. Then it goes through.
// ARCHIVE_KILLS: how many of the statements, evenly spread; `all` is each of them. ARCHIVE_ROUNDS: how often; the long run
// is ARCHIVE_KILLS=all ARCHIVE_ROUNDS=20.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { SNAPSHOTS_FOLDER } from '../../shared/ground/store/snapshots.ts';
import { furnish } from '../setup/furnish.ts';
import { House } from '../setup/house.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { bytesOf } from '../shared/appliance/archive/scene.ts';

const KILLS = process.env.ARCHIVE_KILLS ?? '6';
const ROUNDS = Number(process.env.ARCHIVE_ROUNDS ?? 1);

let program: string;
let scratch: string;
/** A folder whose appliance has other rows than the archive: some come, some change, some go. */
let seed: string;
let archive: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'groundcrew-archive-kill-'));
  seed = join(scratch, 'seed');
  archive = join(scratch, 'then.gcarchive');
  program = await bundleProgram('test/faults/archive-program.ts');
  const house = await House.open({ ticker: false });
  const admin = await house.actor();
  await furnish(house, admin);
  writeFileSync(archive, await bytesOf(house, true));
  const send = (method: string, path: string, body?: object) =>
    house.send(method, `/api/v1/${path}`, { token: admin.token, ...(body && { body }) });
  const { items } = (await send('GET', 'ntp/sources')).body;
  await send('DELETE', `ntp/sources/${items[0].id}`);
  await send('PATCH', `ntp/sources/${items[1].id}`, { description: 'Edited since' });
  await send('PATCH', 'interfaces/physical/ens224', { ipv4_cidr: '192.168.77.2/24' });
  for (const name of ['since', 'later']) await send('POST', 'dns/zones', { name: `${name}.example` });
  await send('POST', 'vaults', { name: 'since' });
  await house.close(true);
  cpSync(house.data, seed, { recursive: true });
  rmSync(house.data, { recursive: true });
}, 300_000);
afterAll(() => {
  rmSync(join(program, '..'), { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true });
});

interface Found {
  state: string;
  integrity: string;
  broken: unknown[];
  restores: number;
  chain: unknown;
  snapshots: string[];
}

async function look(data: string): Promise<Found> {
  const { code, stderr, lines } = await startProgram(program, [data, 'look']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(lines.find((line) => line.startsWith('found '))!.slice('found '.length)) as Found;
}

/** On a folder of its own that begins as the seed. */
async function on<T>(work: (data: string) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(scratch, 'on-'));
  try {
    cpSync(seed, data, { recursive: true });
    return await work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Goes through; answers how many statements that takes. */
async function restored(data: string): Promise<number> {
  const { code, lines } = await startProgram(program, [data, archive]).ended;
  expect(code).toBe(0);
  return Number(/\d+/.exec(lines.find((line) => line.startsWith('statements '))!)![0]);
}

const WHOLE = { integrity: 'ok', broken: [], chain: null };

test(
  'killed at each step of a restore: the state before or after',
  async () => {
    const before = await on(look);
    const { after, count } = await on(async (data) => {
      const statements = await restored(data);
      return { after: await look(data), count: statements };
    });
    expect({ ...before, state: '' }).toEqual({ ...WHOLE, state: '', restores: 0, snapshots: [] });
    expect({ ...after, state: '' }).toEqual({ ...WHOLE, state: '', restores: 1, snapshots: ['ok'] });
    expect(after.state).not.toBe(before.state);
    const kills = KILLS === 'all' ? count : Math.min(count, Number(KILLS));
    const steps = Array.from({ length: kills }, (_, at) => count - Math.floor((at * count) / kills));
    const seen = new Set<string>();
    for (const step of Array.from({ length: ROUNDS }, () => steps).flat()) {
      await on(async (data) => {
        const { signal } = await startProgram(program, [data, archive, String(step)]).ended;
        expect({ step, signal }).toEqual({ step, signal: 'SIGKILL' });
        const found = await look(data);
        const side = found.restores === 0 ? before : after;
        const kept = found.restores === 0 ? found.snapshots.filter((each) => each !== 'ok') : found.snapshots;
        expect({ step, ...found, snapshots: kept }).toEqual({ step, ...side });
        seen.add(side === before ? 'before' : 'after');
        // What was left is swept, and nothing of it is in the way.
        await restored(data);
        expect({ step, state: (await look(data)).state }).toEqual({ step, state: after.state });
        expect(readdirSync(join(data, 'archives'))).toEqual(readdirSync(join(seed, 'archives')));
        expect(readdirSync(join(data, SNAPSHOTS_FOLDER)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
        expect(readdirSync(data)).toContain(DATABASE_FILE);
      });
    }
    expect([...seen].sort()).toEqual(['after', 'before']);
    process.stdout.write(`${steps.length * ROUNDS} kills at ${kills} of ${count} statements\n`);
  },
  12 * 60 * 60_000,
);
