// kill -9 while jobs of both lanes run, at each of their steps: the next life takes up every one of them, and each goes on
// from what it wrote down.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob } from '../../shared/kernel/jobs/job.ts';
import { openJobs } from '../setup/job-scene.ts';
import { bundleProgram, startProgram } from '../setup/program.ts';

let program: string;
beforeAll(async () => {
  program = await bundleProgram('test/faults/job-kill-program.ts');
}, 120_000);
afterAll(() => rmSync(join(program, '..'), { recursive: true, force: true }));

const live = (folder: string, fatal: string) => startProgram(program, [folder, fatal]).ended;

test.each(['here: one', 'here: two', 'away: before the lease', 'away: after the lease', 'away: uploaded'])(
  'killed at the step %s, every job ends well, and what was written down is not done again',
  async (fatal) => {
    const folder = mkdtempSync(join(tmpdir(), 'groundcrew-job-kill-'));
    const scene = await openJobs(folder);
    const ids = [await scene.queue('here', ['one', 'two'])];
    for (let n = 0; n < 2; n++) ids.push(await scene.queue('away', ['one', 'two']));
    expect((await live(folder, fatal)).signal).toBe('SIGKILL');
    const found = await scene.services.store.all<{ id: string; kept: string }>(
      "SELECT id, kept FROM job WHERE kind = 'away'",
    );
    expect(await live(folder, '')).toMatchObject({ signal: null, lines: ['done'], stderr: '' });
    const jobs = await Promise.all(ids.map((id) => findJob(scene.services.store, id)));
    expect(jobs.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    const effects = readFileSync(join(folder, 'effects'), 'utf8').trim().split('\n');
    for (const { id, kept } of found) {
      const { lease } = JSON.parse(kept) as { lease?: string };
      // Between opening it and writing it down there is a moment that nobody can close.
      if (lease === undefined) continue;
      expect(jobs.find((job) => job.id === id)!.result).toBe(lease);
      expect(effects.filter((line) => line === `${id} lease`).length).toBe(1);
    }
    expect(new Set(effects.filter((line) => line.startsWith(ids[0]!)))).toEqual(
      new Set([`${ids[0]} one`, `${ids[0]} two`]),
    );
    await scene.close();
    rmSync(folder, { recursive: true });
  },
  30_000,
);
