// kill -9 at each statement of a restore, of a start from an archive and of a factory reset, whichever database it is of: a
// start finds the state of before or that of the
// archive, whole, with the audit event that says so, and the snapshot whole or not there. Then it goes through.
// ARCHIVE_KILLS: how many of the statements, evenly spread; `all` is each of them. ARCHIVE_ROUNDS: how often; the long run
// is ARCHIVE_KILLS=all ARCHIVE_ROUNDS=20.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { SNAPSHOTS_FOLDER } from '../../shared/ground/store/snapshots.ts';
import { furnish } from '../setup/furnish.ts';
import { House } from '../setup/house.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { bytesOf } from '../shared/appliance/archive/scene.ts';

const KILLS = process.env.ARCHIVE_KILLS ?? '4';
const ROUNDS = Number(process.env.ARCHIVE_ROUNDS ?? 1);

let program: string;
let scratch: string;
/** A folder whose appliance has other rows than the archive: some come, some change, some go. */
let seed: string;
let archive: string;
/** A folder whose appliance is new. */
let bare: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'groundcrew-archive-kill-'));
  seed = join(scratch, 'seed');
  archive = join(scratch, 'then.gcarchive');
  program = await bundleProgram('test/faults/archive-program.ts');
  const house = await House.open({ ticker: false, accounts_travel: true });
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
  bare = join(scratch, 'bare');
  const fresh = await House.open({ ticker: false, accounts_travel: true });
  await fresh.actor('admin', undefined, 'admin');
  await fresh.close(true);
  cpSync(fresh.data, bare, { recursive: true });
  rmSync(fresh.data, { recursive: true });
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
  accounts: { name: string }[];
  chain: unknown;
  snapshots: string[];
}

async function look(data: string): Promise<Found> {
  const { code, stderr, lines } = await startProgram(program, [data, 'look']).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(lines.find((line) => line.startsWith('found '))!.slice('found '.length)) as Found;
}

interface Way {
  name: 'restore' | 'first-start' | 'reset';
  from: () => string;
  /** Whether the copy of before is one of its steps. */
  copies: boolean;
  /** Whether it goes through again where it went through already. */
  repeats: boolean;
}

const WAYS: readonly Way[] = [
  { name: 'restore', from: () => seed, copies: true, repeats: true },
  { name: 'first-start', from: () => bare, copies: false, repeats: false },
  { name: 'reset', from: () => seed, copies: true, repeats: true },
];

/** On a folder of its own that begins as the seed. */
async function on<T>({ from }: Way, work: (data: string) => Promise<T>): Promise<T> {
  const data = mkdtempSync(join(scratch, 'on-'));
  try {
    cpSync(from(), data, { recursive: true });
    return await work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Goes through; answers how many statements that takes. */
async function through(data: string, { name }: Way): Promise<number> {
  const { code, lines, stderr } = await startProgram(program, [data, archive, '0', name]).ended;
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return Number(/\d+/.exec(lines.find((line) => line.startsWith('statements '))!)![0]);
}

const WHOLE = { integrity: 'ok', broken: [], chain: null };
const archivesIn = (folder: string): string[] =>
  existsSync(join(folder, 'archives')) ? readdirSync(join(folder, 'archives')) : [];
const halfMade = (data: string): string[] =>
  existsSync(join(data, SNAPSHOTS_FOLDER))
    ? readdirSync(join(data, SNAPSHOTS_FOLDER)).filter((name) => name.endsWith('.tmp'))
    : [];

test.each(WAYS)(
  'killed at each step of a $name: the state before or after',
  async (way) => {
    const before = await on(way, look);
    const { after, count } = await on(way, async (data) => {
      const statements = await through(data, way);
      return { after: await look(data), count: statements };
    });
    const { state: _before, accounts: _former, ...beforehand } = before;
    const { state: _after, accounts: _latter, ...afterwards } = after;
    expect(beforehand).toEqual({ ...WHOLE, restores: 0, snapshots: [] });
    expect(afterwards).toEqual({ ...WHOLE, restores: 1, snapshots: way.copies ? ['ok'] : [] });
    expect(after.state).not.toBe(before.state);
    const kills = KILLS === 'all' ? count : Math.min(count, Number(KILLS));
    const steps = Array.from({ length: kills }, (_, at) => count - Math.floor((at * count) / kills));
    const seen = new Set<string>();
    for (const step of Array.from({ length: ROUNDS }, () => steps).flat()) {
      await on(way, async (data) => {
        const { signal } = await startProgram(program, [data, archive, String(step), way.name]).ended;
        expect({ step, signal }).toEqual({ step, signal: 'SIGKILL' });
        const found = await look(data);
        const side = found.restores === 0 ? before : after;
        const kept = found.restores === 0 ? found.snapshots.filter((each) => each !== 'ok') : found.snapshots;
        expect({ step, ...found, snapshots: kept }).toEqual({ step, ...side });
        seen.add(side === before ? 'before' : 'after');
        // What was left is swept, the lock of the dead too, and nothing of it is in the way.
        if (way.repeats || side === before) {
          await through(data, way);
          expect({ step, state: (await look(data)).state }).toEqual({ step, state: after.state });
          expect(archivesIn(data)).toEqual(archivesIn(way.from()));
          expect(halfMade(data)).toEqual([]);
        }
        expect(readdirSync(data)).toContain(DATABASE_FILE);
      });
    }
    expect([...seen].sort()).toEqual(['after', 'before']);
    process.stdout.write(`${way.name}: ${steps.length * ROUNDS} kills at ${kills} of ${count} statements\n`);
  },
  12 * 60 * 60_000,
);
