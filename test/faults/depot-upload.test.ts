// kill -9 while an OVA is uploaded, at moments of chance, and while it is completed, at every step: nothing half is ever
// visible, what was acknowledged is there, and the upload goes on. And a disk that fills up under it.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';
import { PIECE_MOST, receivePiece } from '../../shared/platform/uploads/pieces.ts';
import { applianceFolder, depotUploadPath, uploadsFolder } from '../../shared/services/offline-depot/store.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { until } from '../setup/until.ts';

const UPLOADS = '/api/v1/private-cloud-services/uploads';
const KILLS = 8;

let program: string;
let data: string;
let lives: Life[] = [];

beforeAll(async () => {
  program = await bundleProgram('test/faults/depot-upload-program.ts');
}, 300_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'groundcrew-upload-'));
});
afterEach(async () => {
  for (const life of lives) await life.kill();
  lives = [];
  rmSync(data, { recursive: true, force: true });
});

interface Life {
  kill(): Promise<void>;
  /** Null when it died before it answered. */
  send(method: string, path: string, body?: object | Buffer): Promise<{ status: number; body: Answer } | null>;
  ended: Promise<unknown>;
}
// biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
type Answer = any;

async function live(fatal = 'none'): Promise<Life> {
  const ready = Promise.withResolvers<string[]>();
  const { child, ended } = startProgram(program, [data, fatal], {
    onLine: (line) => ready.resolve(line.split(' ')),
  });
  ended.then(({ stderr }) => ready.reject(new Error(`it died at its start: ${stderr}`)));
  ready.promise.catch(() => undefined);
  const [, origin, token] = await Promise.race([ready.promise, ended.then(() => ['', '', ''])]);
  const life: Life = {
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async send(method, path, body) {
      const bytes = Buffer.isBuffer(body);
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
        },
        ...(body && { body: bytes ? new Uint8Array(body) : JSON.stringify(body) }),
      }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      return answer && typeof text === 'string' ? { status: answer.status, body: text && JSON.parse(text) } : null;
    },
  };
  lives.push(life);
  return life;
}

const host = () => rehearsalHost(data);
const inDepot = (): string[] => (existsSync(applianceFolder(host())) ? readdirSync(applianceFolder(host())) : []);
const inUploads = (): string[] => (existsSync(uploadsFolder(host())) ? readdirSync(uploadsFolder(host())) : []);

async function begun(life: Life, name: string, size_bytes: number, more: object = {}): Promise<string> {
  const answer = await life.send('POST', UPLOADS, { name, size_bytes, ...more });
  expect(answer?.status).toBe(201);
  return answer!.body.upload_id;
}

/** Sends pieces until all are there or the service dies; answers the bytes that were acknowledged last. */
async function pushed(life: Life, id: string, bytes: Buffer, from: number): Promise<number> {
  let at = from;
  while (at < bytes.length) {
    const answer = await life.send('PUT', `${UPLOADS}/${id}/content?offset=${at}`, bytes.subarray(at, at + PIECE_MOST));
    if (!answer) return at;
    expect([answer.status, answer.body.detail]).toEqual([200, undefined]);
    at = answer.body.received_bytes;
  }
  return at;
}

async function done(life: Life, id: string): Promise<string> {
  let state = '';
  await until(async () => {
    state = (await life.send('GET', `${UPLOADS}/${id}`))?.body.state;
    return state !== 'completing';
  });
  return state;
}

test(`killed ${KILLS} times while pieces come: what was acknowledged is there, nothing is visible, and it goes on`, async () => {
  const bytes = randomBytes(40 * (1 << 20) + 17);
  const first = await live();
  const id = await begun(first, 'killed-9.0.1.ova', bytes.length);
  let life = first;
  let acknowledged = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const sending = pushed(life, id, bytes, acknowledged);
    await pause(5 + ((kill * 37) % 60));
    await life.kill();
    acknowledged = await sending;
    expect(inDepot()).toEqual([]);
    const there = existsSync(depotUploadPath(host(), id)) ? readFileSync(depotUploadPath(host(), id)) : Buffer.alloc(0);
    expect(there.length).toBeGreaterThanOrEqual(acknowledged);
    expect(there.equals(bytes.subarray(0, there.length))).toBe(true);
    life = await live();
    expect((await life.send('GET', `${UPLOADS}/${id}`))?.body.received_bytes).toBe(there.length);
    acknowledged = there.length;
  }
  expect(await pushed(life, id, bytes, acknowledged)).toBe(bytes.length);
  expect((await life.send('POST', `${UPLOADS}/${id}/complete`, {}))?.status).toBe(202);
  expect(await done(life, id)).toBe('done');
  expect(bytes.equals(readFileSync(join(applianceFolder(host()), 'killed-9.0.1.ova')))).toBe(true);
}, 120_000);

const STEPS = ['hashed', 'kept', 'place', 'placed', 'moved'].map((step) => `depot-upload.${step}`);

test.each([false, true])(
  'killed at every step of completing (over a file that was there: %s): whole or not there, and the next start ends it',
  async (overwrite) => {
    const [old, bytes] = [randomBytes(70_000), randomBytes(3 << 20)];
    const before = await live();
    const ids: string[] = [];
    for (const step of STEPS) {
      const name = `${step}.ova`;
      if (overwrite) {
        const id = await begun(before, name, old.length);
        await pushed(before, id, old, 0);
        await before.send('POST', `${UPLOADS}/${id}/complete`, {});
        expect(await done(before, id)).toBe('done');
      }
      const id = await begun(before, name, bytes.length, { overwrite });
      await pushed(before, id, bytes, 0);
      ids.push(id);
    }
    await before.kill();
    for (const [at, step] of STEPS.entries()) {
      const life = await live(step);
      await life.send('POST', `${UPLOADS}/${ids[at]}/complete`, {});
      await life.ended;
      const path = join(applianceFolder(host()), `${step}.ova`);
      const there = existsSync(path) ? readFileSync(path) : null;
      expect([step, there === null ? !overwrite : there.equals(bytes) || (overwrite && there.equals(old))]).toEqual([
        step,
        true,
      ]);
      const next = await live();
      expect([step, await done(next, ids[at]!)]).toEqual([step, 'done']);
      await next.kill();
    }
    for (const step of STEPS) {
      expect(bytes.equals(readFileSync(join(applianceFolder(host()), `${step}.ova`)))).toBe(true);
    }
    expect(inUploads()).toEqual([]);
  },
  120_000,
);

test('a disk that fills up under a piece: 507, what came is kept, and with room it goes on', async () => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m,mode=700', 'tmpfs', data]);
  try {
    const bytes = randomBytes(3 << 20);
    const path = join(data, 'upload');
    // The look at the room comes too early: another takes it between that and the write.
    const into = { path, noun: 'file', makeFolder: async () => undefined, refuseFull: async () => undefined };
    const receive = (offset: number, end: number) =>
      receivePiece(into, { offset, bytes: bytes.subarray(offset, end), size: bytes.length });
    expect(await receive(0, 1 << 20)).toBe(1 << 20);
    writeFileSync(join(data, 'filler'), Buffer.alloc(4 << 20));
    await expect(receive(1 << 20, bytes.length)).rejects.toMatchObject({ code: 'storage_full' });
    const there = readFileSync(path);
    expect(there.length).toBeGreaterThan(1 << 20);
    expect(there.equals(bytes.subarray(0, there.length))).toBe(true);
    rmSync(join(data, 'filler'));
    expect(await receive(1 << 20, bytes.length)).toBe(bytes.length);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  } finally {
    execFileSync('umount', [data]);
  }
});
