// kill -9 while many records are imported, at each step and at moments of chance: all of them are saved, once, with their audit
// row, or none. And a disk that fills up under it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openStore } from '../../shared/ground/store/open-store.ts';
import { type Credentials, House } from '../setup/house.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';
import { until } from '../setup/until.ts';

const ROWS = 4_500;
const CHANCES = 6;
const LIMIT = 240_000;

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/bulk-import-program.ts');
}, LIMIT);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

const live = (data: string, fatal: string, rows: number) => startProgram(program, [data, fatal, String(rows)]).ended;

async function found(data: string) {
  const store = await openStore(data);
  try {
    const many = async (sql: string) => (await store.one<{ n: number }>(`SELECT count(*) AS n ${sql}`))!.n;
    return {
      rows: await many('FROM dns_record'),
      audited: await many("FROM audit_event WHERE action = 'dns.record.import'"),
      locks: await many('FROM mutation_lock'),
      jobs: (await store.all<{ state: string }>('SELECT state FROM job')).map(({ state }) => state),
      files: existsSync(join(data, 'imports')) ? readdirSync(join(data, 'imports')).length : 0,
    };
  } finally {
    await store.close();
  }
}

async function inFolder(work: (data: string) => Promise<void>): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'groundcrew-bulk-'));
  try {
    await work(data);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

const DONE = { rows: ROWS, audited: 1, locks: 0, jobs: ['succeeded'], files: 0 };

test.each([
  ['import.checked', 0],
  ['import.owned', 0],
  ['part 1', 0],
  ['part 3', 0],
  ['import.inserted', 0],
  ['import.noted', 0],
  ['import.saved', ROWS],
])(
  'killed at %s, the next life has all rows once',
  (fatal, rows) =>
    inFolder(async (data) => {
      expect((await live(data, fatal, ROWS)).signal).toBe('SIGKILL');
      expect(await found(data)).toMatchObject({ rows, audited: rows === 0 ? 0 : 1, jobs: ['running'], files: 1 });
      expect(await live(data, 'none', 0)).toMatchObject({ signal: null, lines: ['done'], stderr: '' });
      expect(await found(data)).toEqual(DONE);
    }),
  LIMIT,
);

test(
  `killed at ${CHANCES} moments of chance, it has all rows or none`,
  async () => {
    for (let round = 0; round < CHANCES; round++) {
      await inFolder(async (data) => {
        await live(data, String(Math.floor(Math.random() * 400)), ROWS);
        const first = await found(data);
        expect([0, ROWS]).toContain(first.rows);
        expect(first.audited).toBe(first.rows === 0 ? 0 : 1);
        expect((await live(data, 'none', 0)).lines).toEqual(['done']);
        // Killed after the end of its job was saved, it has left its file, which goes with those that are abandoned.
        const ended = first.jobs.includes('succeeded');
        expect(await found(data)).toEqual({ ...DONE, files: ended ? first.files : 0 });
      });
    }
  },
  LIMIT,
);

test(
  'killed before its job is queued, nothing goes on',
  () =>
    inFolder(async (data) => {
      expect((await live(data, 'file', ROWS)).signal).toBe('SIGKILL');
      await live(data, 'none', 0);
      expect(await found(data)).toMatchObject({ rows: 0, jobs: [] });
    }),
  LIMIT,
);

test(
  'a disk that is full is refused at once; one that fills up while the rows are saved leaves none of them',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=320m,mode=700', 'tmpfs', folder]);
    const filler = join(folder, 'filler');
    const fill = async (spare: number) => {
      const { bavail, bsize } = await statfs(folder);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - spare)));
    };
    const logged: string[] = [];
    const house = await House.open({ data: folder, fresh: true, log: (line) => logged.push(line) });
    try {
      const admin: Credentials = await house.actor('admin');
      await house.send('POST', '/api/v1/dns/zones', { token: admin.token, body: { name: 'lab.test' } });
      const lines = Array.from({ length: 20_000 }, (_, n) => `h${n}.lab.test,A,10.1.${n >> 8}.${n & 255}\n`);
      const raw = `fqdn,type,value\n${lines.join('')}`;
      const headers = { 'content-type': 'text/csv' };
      const send = () => house.send('POST', '/api/v1/dns/records/import', { token: admin.token, raw, headers });
      const count = async () =>
        (await house.services.store.one<{ n: number }>('SELECT count(*) AS n FROM dns_record'))!.n;

      await fill(40 << 20);
      expect((await send()).body.error_code).toBe('storage_full');
      // So is the preview of such a file on the page, which needs room until it is imported.
      const zone = await house.services.store.one<{ id: string }>('SELECT id FROM dns_zone');
      const form = { csv: raw, dry_run: 'true' };
      const page = () => house.send('POST', `/ui/management/dns/zones/${zone!.id}/import`, { session: admin, form });
      const refused = await page();
      expect([refused.status, refused.text.includes('The disk has no room for this file.')]).toEqual([507, true]);
      expect([refused.text.includes('h19999.lab.test'), readdirSync(join(folder, 'imports'))]).toEqual([true, []]);
      rmSync(filler);
      expect((await page()).text).toContain('20000 new, 0 changed');

      house.services.checkpoint = (step) => (step === 'import.owned' ? fill(2 << 20) : undefined);
      const { job_id } = (await send()).body;
      const jobOf = async () => (await house.send('GET', `/api/v1/jobs/${job_id}`, { token: admin.token })).body;
      await until(async () => existsSync(filler));
      house.services.checkpoint = () => undefined;
      // It has failed when it ended so, or when not even that could be written.
      const failed = async () => (await jobOf()).state === 'failed' || logged.join('').includes('job queue failure');
      await until(failed);
      expect(await count()).toBe(0);
      rmSync(filler);
      await until(async () => {
        house.services.notify('queue');
        return ['succeeded', 'failed'].includes((await jobOf()).state);
      });
      const job = await jobOf();
      // Where its failure could not be written, it began again, and had room.
      if (job.state === 'failed') expect([job.error.error_code, await count()]).toEqual(['storage_full', 0]);
      else expect(await count()).toBe(20_000);
      expect(await house.services.store.one('SELECT * FROM mutation_lock')).toBeUndefined();
    } finally {
      await house.close(true);
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    }
  },
  LIMIT,
);
