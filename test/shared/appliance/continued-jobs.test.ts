// What was typed for a job: kept in memory alone, as long as it is needed; asked for again when it is gone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { continuationOf, continueJob } from '../../../shared/appliance/continued-jobs.ts';
import { later } from '../../../shared/ground/clock.ts';
import { type ErrorCode, Problem } from '../../../shared/ground/problems.ts';
import type { Actor } from '../../../shared/kernel/access/actor.ts';
import { findJob, type Job } from '../../../shared/kernel/jobs/job.ts';
import type { JobKind } from '../../../shared/kernel/jobs/kind.ts';
import type { JobRun } from '../../../shared/kernel/jobs/run.ts';
import { JobSecrets, jobSecrets, WAIT_SECONDS } from '../../../shared/kernel/jobs/secrets.ts';
import { type JobScene, openJobs } from '../../setup/job-scene.ts';

let scene: JobScene;
beforeEach(async () => {
  scene = await openJobs();
});
afterEach(() => scene.close());

const CANARY = 'Canary-pässword-41!';

describe('typed secrets', () => {
  const clocked = () => {
    const state = { now: new Date('2026-03-14T09:00:00Z') };
    const uptime = { boot: 'boot', milliseconds: () => state.now.getTime() };
    return { state, secrets: new JobSecrets({ uptime }) };
  };

  test('stay half an hour while their job waits, and as long as it runs', () => {
    const { state, secrets } = clocked();
    for (const id of ['waits', 'runs']) secrets.put(id, { password: CANARY });
    secrets.hold('runs');
    state.now = later(state.now, WAIT_SECONDS - 1);
    expect(secrets.get('waits')).toEqual({ password: CANARY });
    state.now = later(state.now, 3 * 3600);
    expect([secrets.get('waits'), secrets.get('runs')]).toEqual([null, { password: CANARY }]);
    secrets.release('runs');
    state.now = later(state.now, WAIT_SECONDS);
    expect([secrets.get('runs'), secrets.size]).toEqual([null, 0]);
  });

  test('of a new job are refused rather than those of another dropped', () => {
    const { state, secrets } = clocked();
    for (let n = 0; n < 64; n++) secrets.put(`job_${n}`, { password: `${n}` });
    expect(() => secrets.put('job_64', { password: 'b' })).toThrow('Too many jobs wait');
    secrets.put('job_0', { password: 'again' });
    expect([secrets.size, secrets.get('job_0'), secrets.get('job_1')]).toEqual([
      64,
      { password: 'again' },
      { password: '1' },
    ]);
    state.now = later(state.now, WAIT_SECONDS);
    secrets.put('job_64', { password: 'b' });
    expect(secrets.size).toBe(1);
  });

  test('are of one service alone, nothing that prints them does, and they go with the end', async () => {
    const other = await openJobs();
    try {
      jobSecrets(scene.services).put('job_a', { password: CANARY });
      expect([jobSecrets(other.services).get('job_a'), JSON.stringify(jobSecrets(scene.services))]).toEqual([
        null,
        '{}',
      ]);
      jobSecrets(scene.services).drop('job_a');
      expect(jobSecrets(scene.services).get('job_a')).toBeNull();
    } finally {
      await other.close();
    }
  });

  test.each<[string, (job: JobRun) => Promise<unknown>, string]>([
    ['succeeds', async () => null, 'succeeded'],
    [
      'fails with them in what it throws',
      async (job) => Promise.reject(new Error(`no: ${job.secrets!.password}`)),
      'failed',
    ],
    [
      'fails with them in a problem',
      async (job) => Promise.reject(new Problem('remote_refused', `no: ${job.secrets!.password}`)),
      'failed',
    ],
    [
      'writes down and tells all it may',
      async (job) => {
        await job.startTask('one');
        await job.say('one', `as ${job.secrets!.username}`);
        await job.keep({ lease: 'l-1' });
        await job.progress('one', { percent: 5 });
        return { as: job.secrets!.username };
      },
      'succeeded',
    ],
  ])('of a job that %s are wiped with its end, and are in no row and no log', async (_what, work, state) => {
    const kind: JobKind = { kind: 'typed', lane: 'remote', run: work };
    const id = await scene.queue('typed');
    jobSecrets(scene.services).put(id, { username: 'admin@local', password: CANARY });
    await scene.runner([kind]).idle();
    expect([(await findJob(scene.services.store, id)).state, jobSecrets(scene.services).size]).toEqual([state, 0]);
    const written = readdirSync(scene.folder).map((name) => readFileSync(join(scene.folder, name)));
    expect(written.length).toBeGreaterThan(0);
    for (const bytes of written) expect(bytes.includes(CANARY)).toBe(false);
    expect(scene.logged.join('\n')).not.toContain(CANARY);
  });

  test('of a job that the service leaves stay for whoever goes on in this process', async () => {
    const kind: JobKind = { kind: 'typed', lane: 'remote', run: (job) => job.sleep(60_000) };
    const id = await scene.queue('typed');
    jobSecrets(scene.services).put(id, { password: CANARY });
    const runner = scene.runner([kind]);
    runner.wake();
    while ((await findJob(scene.services.store, id)).state !== 'running')
      await new Promise((done) => setTimeout(done, 5));
    await runner.stop();
    expect(jobSecrets(scene.services).get(id)).toEqual({ password: CANARY });
  });
});

describe('a job that failed for want of something typed', () => {
  const actor = (...scopes: string[]) => ({ role: 'viewer', scopes: new Set(scopes) }) as unknown as Actor;
  const ran: unknown[] = [];
  const kind = (over: Partial<JobKind> = {}): JobKind => ({
    kind: 'deploy',
    lane: 'remote',
    async run(job) {
      ran.push([job.job.input, job.kept, job.secrets]);
      if (!(await job.succeeded('upload'))) {
        await job.startTask('upload');
        await job.keep({ vm: 'vm-1' });
        await job.endTask('upload', 'succeeded');
      }
      await job.startTask('configure');
      if (!job.secrets)
        throw new Problem((job.job.input.cause as ErrorCode | undefined) ?? 'remote_credential_gone', 'gone');
      return job.secrets;
    },
    continues: ({ input, kept }) =>
      kept.vm === undefined
        ? null
        : {
            scope: 'write:depot',
            fields: [
              { name: 'username', label: 'User name', kind: 'text', value: 'admin@local' },
              { name: 'password', label: 'Password', kind: 'password' },
              ...(input.properties as string[]).map((name) => ({ name, label: name, kind: 'password' as const })),
            ],
          },
    ...over,
  });
  const failed = async (over: Partial<JobKind> = {}, input = {}): Promise<{ job: Job; kinds: JobKind[] }> => {
    ran.length = 0;
    const kinds = [kind(over)];
    const id = await scene.queue('deploy', ['upload', 'configure'], {
      properties: ['appliance.ROOT/PASSWORD'],
      ...input,
    });
    await scene.runner(kinds).idle();
    return { job: await findJob(scene.services.store, id), kinds };
  };
  const answers = { username: ' admin@local ', password: ` ${CANARY} `, 'appliance.ROOT/PASSWORD': 'VMware123!' };
  const go = (job: Job, kinds: JobKind[], typed: Record<string, string> = answers, who = actor('write:depot')) =>
    scene.services.store.write((tx) => continueJob(tx, who, job.id, typed, kinds));

  test('asks for exactly what its kind says, and goes on with it after what succeeded', async () => {
    const { job, kinds } = await failed({ keepsSucceeded: true });
    const asks = await continuationOf(scene.services.store, job, kinds);
    expect(asks?.fields.map(({ name }) => name)).toEqual(['username', 'password', 'appliance.ROOT/PASSWORD']);
    const { typed } = await go(job, kinds);
    expect(typed).toEqual({ ...answers, username: 'admin@local' });
    jobSecrets(scene.services).put(job.id, typed);
    expect(await findJob(scene.services.store, job.id)).toMatchObject({
      state: 'queued',
      error: null,
      finished_at: null,
      progress_percent: 50,
      tasks: [{ state: 'succeeded' }, { state: 'queued' }],
    });
    await scene.runner(kinds).idle();
    expect((await findJob(scene.services.store, job.id)).state).toBe('succeeded');
    expect(ran).toEqual([
      [expect.anything(), {}, null],
      [expect.anything(), { vm: 'vm-1' }, typed],
    ]);
  });

  test('begins with its first task, and with another input, where its kind says nothing else', async () => {
    const { job, kinds } = await failed(
      { continuedInput: (input) => ({ ...input, stored: null }) },
      { stored: 'entry_1' },
    );
    await go(job, kinds);
    expect((await findJob(scene.services.store, job.id)).tasks.map(({ state }) => state)).toEqual(['queued', 'queued']);
    const row = await scene.services.store.one<{ input: string }>('SELECT input FROM job WHERE id = ?', [job.id]);
    expect(JSON.parse(row!.input)).toEqual({ properties: ['appliance.ROOT/PASSWORD'], stored: null });
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['nothing', {}, ['/username', '/password', '/appliance.ROOT~1PASSWORD']],
    ['one too many', { ...answers, stored: 'entry_1' }, ['/stored']],
    ['one too long', { ...answers, password: 'x'.repeat(1025) }, ['/password']],
    ['blanks', { ...answers, username: '  ' }, ['/username']],
  ])('refuses %s at its fields, and stays as it was', async (_what, typed, pointers) => {
    const { job, kinds } = await failed();
    const error = await go(job, kinds, typed).catch((error: Problem) => error);
    expect((error as Problem).members.errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await findJob(scene.services.store, job.id)).toEqual(job);
  });

  test('refuses whoever may not do what it does', async () => {
    const { job, kinds } = await failed();
    await expect(go(job, kinds, answers, actor('read:depot'))).rejects.toMatchObject({ code: 'insufficient_scope' });
  });

  test.each<[string, Partial<JobKind>, boolean]>([
    ['of a cause that typing mends nothing of', {}, false],
    ['of a cause that its kind names', { continuesAfter: ['remote_timeout'] }, true],
    ['and whose kind asks for nothing', { continuesAfter: ['remote_timeout'], continues: () => null }, false],
  ])('one %s: it asks %#', async (_what, over, asks) => {
    const { job, kinds } = await failed(over, { cause: 'remote_timeout' });
    expect((await continuationOf(scene.services.store, job, kinds)) !== null).toBe(asks);
    if (!asks) await expect(go(job, kinds)).rejects.toMatchObject({ code: 'state_conflict' });
  });

  test('counts the lives of its process anew', async () => {
    const { job, kinds } = await failed();
    await scene.services.store.write((tx) => tx.run('UPDATE job SET resumes = 3 WHERE id = ?', [job.id]));
    await go(job, kinds);
    expect(await scene.services.store.one('SELECT resumes FROM job')).toEqual({ resumes: 0 });
  });
});
