// What a step tells while it runs: bytes, rate, time left, written seldom however often it is told; and its words.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bytesOf, byteWords, leftWords, rateWords } from '../../../../pages/components/byte-words.ts';
import { findJob } from '../../../../shared/kernel/jobs/job.ts';
import type { JobKind } from '../../../../shared/kernel/jobs/kind.ts';
import { LINES_MOST, TEXT_MOST } from '../../../../shared/kernel/jobs/log-lines.ts';
import { Pace } from '../../../../shared/kernel/jobs/pace.ts';
import type { JobRun } from '../../../../shared/kernel/jobs/run.ts';
import { jobSecrets } from '../../../../shared/kernel/jobs/secrets.ts';
import { type JobScene, openJobs } from '../../../setup/job-scene.ts';
import { until } from '../../../setup/until.ts';

let scene: JobScene;
beforeEach(async () => {
  scene = await openJobs();
});
afterEach(() => scene.close());

const GIB = 2 ** 30;
const run = async (work: (job: JobRun) => Promise<unknown>, tasks = ['copy', 'wait']) => {
  const kind: JobKind = { kind: 'told', lane: 'remote', run: work };
  const id = await scene.queue('told', tasks);
  const runner = scene.runner([kind]);
  await runner.idle();
  await runner.stop();
  return findJob(scene.services.store, id);
};
const taskOf = async (job: JobRun, name = 'copy') =>
  (await findJob(scene.services.store, job.id)).tasks.find((task) => task.name === name)!;

describe('progress', () => {
  test('told a thousand times is written once, and its last value with the end of the step', async () => {
    let writes = 0;
    const { store } = scene.services;
    const write = store.write.bind(store);
    const job = await run(async (job) => {
      await job.startTask('copy');
      store.write = ((...given: Parameters<typeof write>) => {
        writes++;
        return write(...given);
      }) as typeof write;
      for (let n = 1; n <= 1000; n++) await job.progress('copy', { done_bytes: n * 1000, total_bytes: 2_000_000 });
      store.write = write;
      expect(await taskOf(job)).toMatchObject({ progress_percent: 0, progress: { done_bytes: 1000 } });
      await job.endTask('copy', 'failed');
    });
    expect([writes, job.tasks[0]]).toMatchObject([
      1,
      { state: 'failed', progress_percent: 50, progress: { done_bytes: 1_000_000, total_bytes: 2_000_000 } },
    ]);
  });

  test('that nothing follows is written a second later, and counts in the whole of the job', async () => {
    let seen: Awaited<ReturnType<typeof findJob>> | null = null;
    await run(async (job) => {
      await job.startTask('copy');
      await job.progress('copy', { percent: 1 });
      await job.progress('copy', { percent: 60, seconds_left: null });
      await until(async () => {
        seen = await findJob(scene.services.store, job.id);
        // A job is read before its steps, so that it is the older of the two for once.
        return seen.tasks[0]?.progress_percent === 60 && seen.progress_percent === 30;
      });
    });
    expect(seen).toMatchObject({
      state: 'running',
      progress_percent: 30,
      tasks: [{ progress_percent: 60, progress: { seconds_left: null } }, { progress: null }],
    });
  });

  test('of a step that failed stays where it stopped', async () => {
    const job = await run(async (job) => {
      await job.startTask('copy');
      await job.progress('copy', { done_bytes: 1, total_bytes: 100 });
      await job.progress('copy', { done_bytes: 42, total_bytes: 100 });
      throw new Error('reset by the other side');
    });
    expect(job.tasks[0]).toMatchObject({ state: 'failed', progress_percent: 42, progress: { done_bytes: 42 } });
  });

  test('of what begins anew begins anew, and what comes too late is dropped', async () => {
    let late: JobRun | null = null;
    const job = await run(async (job) => {
      late = job;
      await job.startTask('copy');
      await job.progress('copy', { done_bytes: 90, total_bytes: 100 });
      await job.startTask('copy');
      expect(await taskOf(job)).toMatchObject({ progress_percent: 0, progress: null });
      await job.endTask('copy', 'succeeded');
      await job.progress('copy', { done_bytes: 10, total_bytes: 100 });
    });
    await late!.progress('copy', { percent: 5 });
    expect(job.tasks[0]).toMatchObject({ progress_percent: 100, progress: null });
  });

  test.each([
    [{ done_bytes: Number.NaN, total_bytes: 100 }, 0, { done_bytes: 0, total_bytes: 100 }],
    [{ done_bytes: 300, total_bytes: 100 }, 100, { done_bytes: 300, total_bytes: 100 }],
    [{ done_bytes: 5, total_bytes: 0 }, 0, { done_bytes: 5, total_bytes: 0 }],
    [{ percent: -3 }, 0, {}],
    [{ percent: 33.9, bytes_per_second: 1.5, seconds_left: 2.5 }, 33, { bytes_per_second: 1, seconds_left: 2 }],
  ])('%j is written as what it can mean', async (facts, percent, progress) => {
    const job = await run(async (job) => {
      await job.startTask('copy');
      await job.progress('copy', facts);
    });
    expect([job.tasks[0]!.progress_percent, job.tasks[0]!.progress]).toEqual([percent, progress]);
  });
});

describe('a log', () => {
  test('of more lines than it may have loses the oldest that only inform, and says how many', async () => {
    const job = await run(async (job) => {
      await job.startTask('copy');
      await job.say('copy', 'It began with a step.', { kind: 'act', ok: true, duration_ms: 3 });
      await job.say('copy', 'One of them failed.', { ok: false });
      for (let n = 1; n <= 1300; n++) await job.say('copy', `Warning ${n}.`);
    });
    const [copy, wait] = job.tasks;
    const texts = copy!.log.map(({ text }) => text);
    expect(texts.length).toBeLessThanOrEqual(LINES_MOST);
    expect(texts.slice(0, 2)).toEqual(['It began with a step.', 'One of them failed.']);
    const left = Number(/^(\d+) lines that stood here were left out\.$/.exec(texts[2]!)![1]);
    expect(texts.slice(3)).toEqual(Array.from({ length: 1300 - left }, (_none, n) => `Warning ${left + n + 1}.`));
    expect(copy!.log.map(({ at }) => at)).toEqual(copy!.log.map(({ at }) => at).sort());
    expect(wait!.log).toEqual([]);
  });

  test('of failures alone is bounded as well', async () => {
    const job = await run(async (job) => {
      for (let n = 1; n <= 700; n++) await job.say('copy', `Failure ${n}.`, { ok: false });
    });
    const texts = job.tasks[0]!.log.map(({ text }) => text);
    expect([texts.length, texts.at(-1)]).toEqual([expect.any(Number), 'Failure 700.']);
    expect(texts.length).toBeLessThanOrEqual(LINES_MOST);
  });

  test('has lines of a bounded length, and none for a task that is not there', async () => {
    const job = await run(async (job) => {
      await job.say('copy', '😀'.repeat(5000));
      await job.say('copy', 'short');
      await job.say('elsewhere', 'nothing');
    });
    const [long, short] = job.tasks[0]!.log.map(({ text }) => text);
    expect([long!.length, long!.isWellFormed(), long!.at(-1), short]).toEqual([TEXT_MOST, true, '…', 'short']);
  });

  test('and the notes of a job hold nothing that was typed for it', async () => {
    const secrets = { username: 'administrator', password: 'Hunter2SecretPassword' };
    const said = `${secrets.username} with ${secrets.password}.`;
    const kind: JobKind = {
      kind: 'told',
      lane: 'remote',
      async run(job) {
        await job.say('copy', said);
        await job.keep({ words: { list: [said, 7, null, true] }, gone: 'here', other: 1 });
        await job.keep({ gone: undefined });
        expect(job.kept).toEqual({ words: { list: [HIDDEN, 7, null, true] }, gone: undefined, other: 1 });
      },
    };
    const HIDDEN = 'administrator with (hidden).';
    const id = await scene.queue('told', ['copy']);
    jobSecrets(scene.services).put(id, secrets);
    await scene.runner([kind]).idle();
    const { state, error, tasks } = await findJob(scene.services.store, id);
    expect([state, error, tasks[0]!.log[0]!.text]).toEqual(['succeeded', null, HIDDEN]);
    const row = await scene.services.store.one<{ kept: string }>('SELECT kept FROM job WHERE id = ?', [id]);
    expect(JSON.parse(row!.kept)).toEqual({ words: { list: [HIDDEN, 7, null, true] }, other: 1 });
  });
});

test('a password that begins like a shorter one leaves nothing of itself', () => {
  const secrets = jobSecrets(scene.services);
  secrets.put('job_a', { depot_password: 'Winter', password: 'Winter2026Depot' });
  expect(secrets.hide('job_a', 'Winter2026Depot, Winter.')).toBe('(hidden), (hidden).');
});

describe('the pace', () => {
  test('is that of the last seconds: a stall shows, and so does a start anew', () => {
    const pace = new Pace();
    pace.told(0, 0);
    expect(pace.figures(1000)).toEqual({});
    for (let second = 1; second <= 20; second++) pace.told(second * 1000, second * 10);
    expect(pace.figures(1000)).toEqual({ bytes_per_second: 10, seconds_left: 80 });
    expect(pace.figures(undefined)).toEqual({ bytes_per_second: 10 });
    for (let second = 21; second <= 40; second++) pace.told(second * 1000, 200);
    expect(pace.figures(1000)).toEqual({ bytes_per_second: 0, seconds_left: null });
    pace.told(41_000, 0);
    expect(pace.figures(1000)).toEqual({});
    for (let n = 1; n <= 3000; n++) pace.told(41_000 + n, n * 50);
    expect(pace.figures(400_000)).toEqual({ bytes_per_second: 50_000, seconds_left: 5 });
  });
});

test.each([
  [byteWords(999), '999 bytes'],
  [byteWords(1536), '1.5 KiB'],
  [byteWords(1023.9 * 1024 ** 2), '1.0 GiB'],
  [bytesOf(1.84 * GIB, 4.2 * GIB), '1.8 of 4.2 GiB'],
  [bytesOf(9 * GIB, 4.2 * GIB), '4.2 of 4.2 GiB'],
  [rateWords(112.4 * 2 ** 20), '112 MiB/s'],
  [leftWords(null), 'no telling how long'],
  [leftWords(0), 'done in a moment'],
  [leftWords(21.2), '22 s left'],
  [leftWords(61), 'about 2 min left'],
  [leftWords(59 * 60 + 1), 'about 1 h left'],
  [leftWords(4100), 'about 1 h 10 min left'],
])('%s', (said, expected) => {
  expect(said).toBe(expected);
});
