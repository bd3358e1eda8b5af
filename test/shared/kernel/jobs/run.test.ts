// A job over time: it goes on after its owner died, and one that ends the process is not taken up for ever.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { instant, later } from '../../../../shared/ground/clock.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { cancelJob, findJob, queueJob } from '../../../../shared/kernel/jobs/job.ts';
import { leaseOwner, ownerIsDead, RESUMES_MOST } from '../../../../shared/kernel/jobs/lease.ts';
import { type JobRun, Left } from '../../../../shared/kernel/jobs/run.ts';
import { type JobKind, JobRunner } from '../../../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../../../shared/kernel/operation/services.ts';
import { House } from '../../../setup/house.ts';

let house: House;
let services: Services;
beforeEach(async () => {
  house = await House.open();
  services = house.services;
});
afterEach(() => house.close());

describe('a job', () => {
  const queue = () =>
    services.store.write((tx) =>
      queueJob(tx, services.clock.now(), services.entropy, {
        kind: 'test',
        subject: null,
        input: { n: 1 },
        created_by: 'test',
        tasks: [
          { name: 'one', title: 'One' },
          { name: 'two', title: 'Two' },
        ],
      }),
    );
  const run = async (kind: Partial<JobKind> & Pick<JobKind, 'run'>) => {
    const runner = new JobRunner(services, [{ kind: 'test', ...kind }]);
    await runner.idle();
    await runner.stop();
  };
  const walk = async (job: JobRun) => {
    for (const name of ['one', 'two']) {
      await job.stopIfAsked();
      await job.startTask(name);
      await job.say(name, `did ${name}`);
      await job.endTask(name, 'succeeded');
    }
    return { done: true };
  };

  test('runs its tasks and keeps its result', async () => {
    const id = await queue();
    await run({ run: walk });
    expect(await findJob(services.store, id)).toMatchObject({
      state: 'succeeded',
      progress_percent: 100,
      result: { done: true },
      error: null,
      tasks: [{ state: 'succeeded', log: [{ text: 'did one' }] }, { state: 'succeeded' }],
    });
  });

  test('that fails says why as a problem document, and what was left is skipped', async () => {
    const id = await queue();
    await run({
      run: async (job) => {
        await job.startTask('one');
        throw new Problem('state_conflict', 'The other side said no.');
      },
    });
    expect(await findJob(services.store, id)).toMatchObject({
      state: 'failed',
      error: { status: 409, error_code: 'state_conflict', detail: 'The other side said no.' },
      tasks: [{ state: 'failed' }, { state: 'skipped' }],
    });
  });

  test('that fails unexpectedly tells nothing of the cause', async () => {
    const id = await queue();
    await run({
      run: async () => {
        throw new Error('hunter2 in a connection string');
      },
    });
    expect(JSON.stringify(await findJob(services.store, id))).not.toContain('hunter2');
  });

  test('whose owner died is taken over at once and goes on', async () => {
    const id = await queue();
    const dead = leaseOwner().replace(/\/\d+\//, '/999999/');
    expect(ownerIsDead(dead)).toBe(true);
    expect(ownerIsDead(leaseOwner())).toBe(false);
    await services.store.write((tx) =>
      tx.run("UPDATE job SET state = 'running', lease_owner = ?, lease_until = ? WHERE id = ?", [
        dead,
        instant(later(new Date(), 60)),
        id,
      ]),
    );
    await run({ run: walk });
    expect((await findJob(services.store, id)).state).toBe('succeeded');
  });

  test.each([-1, 10 * 86_400])(
    'of an owner elsewhere is left alone until its lease ends, or %i s ahead',
    async (end) => {
      const id = await queue();
      const lease = (seconds: number) =>
        services.store.write((tx) =>
          tx.run("UPDATE job SET state = 'running', lease_owner = 'elsewhere/1/1', lease_until = ? WHERE id = ?", [
            instant(later(new Date(), seconds)),
            id,
          ]),
        );
      await lease(60);
      await run({ run: walk });
      expect((await findJob(services.store, id)).state).toBe('running');
      await lease(end);
      await run({ run: walk });
      expect((await findJob(services.store, id)).state).toBe('succeeded');
    },
  );

  test('stops at its next safe point when it is asked to, and an ended one can not be cancelled', async () => {
    const id = await queue();
    await run({
      run: async (job) => {
        await job.startTask('one');
        await services.store.write((tx) => cancelJob(tx, id));
        await job.endTask('one', 'succeeded');
        return walk(job);
      },
    });
    expect(await findJob(services.store, id)).toMatchObject({
      state: 'cancelled',
      tasks: [{ state: 'succeeded' }, { state: 'cancelled' }],
    });
    await expect(services.store.write((tx) => cancelJob(tx, id))).rejects.toMatchObject({
      code: 'job_finished',
    });
  });

  test('that is queued is cancelled without running', async () => {
    const id = await queue();
    await services.store.write((tx) => cancelJob(tx, id));
    await run({
      run: async () => {
        throw new Error('ran');
      },
    });
    expect((await findJob(services.store, id)).state).toBe('cancelled');
  });
});

describe('a job that ends the process', () => {
  const queue = () =>
    services.store.write((tx) =>
      queueJob(tx, services.clock.now(), services.entropy, {
        kind: 'test',
        subject: null,
        input: {},
        created_by: 'test',
        tasks: ['one', 'two', 'three'].map((name) => ({ name, title: name })),
      }),
    );
  const dead = leaseOwner().replace(/\/\d+\//, '/999999/');
  const died = (id: string, state = 'running') =>
    services.store.write((tx) =>
      tx.run('UPDATE job SET state = ?, lease_owner = ?, lease_until = ? WHERE id = ?', [
        state,
        dead,
        instant(later(new Date(), 60)),
        id,
      ]),
    );
  /** One life: what the job does until it comes to what ends the process, or, for null, to its end. */
  const live = async (work: (job: JobRun) => Promise<unknown>, more: Partial<JobKind> = {}) => {
    let runs = 0;
    const kind: JobKind = {
      kind: 'test',
      run: (job) => {
        runs += 1;
        return work(job).catch((error) => {
          if (error instanceof Left) void runner.stop();
          throw error;
        });
      },
      ...more,
    };
    const runner = new JobRunner(services, [kind]);
    await runner.idle();
    await runner.stop();
    return runs;
  };
  /** As far as a process comes that ends there: nothing of its end is written. */
  const dies = async () => {
    throw new Left();
  };
  const begins = async (job: JobRun, ...names: string[]) => {
    for (const name of names) {
      await job.startTask(name);
      await job.endTask(name, 'succeeded');
    }
    return dies();
  };

  test(`is taken up ${RESUMES_MOST} times without getting further, and fails then with that for a cause`, async () => {
    const id = await queue();
    let runs = 0;
    for (let life = 0; life < RESUMES_MOST + 3; life++) {
      // A task that each run begins anew is no progress.
      runs += await live((job) => begins(job, 'one'));
      if ((await findJob(services.store, id)).state === 'failed') break;
      await died(id);
    }
    expect(runs).toBe(1 + RESUMES_MOST);
    expect(await findJob(services.store, id)).toMatchObject({
      state: 'failed',
      error: {
        error_code: 'unexpected_failure',
        detail: expect.stringMatching(/^The service ended 4 times while it ran this job, which got no further/),
      },
    });
    expect(await live(dies)).toBe(0);
  });

  test('goes on for as long as each life ends one task more', async () => {
    const id = await queue();
    const ended: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      ended.push(name);
      for (let life = 0; life < RESUMES_MOST; life++) {
        expect(await live((job) => begins(job, ...(life === RESUMES_MOST - 1 ? ended : ended.slice(0, -1))))).toBe(1);
        await died(id);
      }
    }
    expect(await live(async () => ({ done: true }))).toBe(1);
    expect((await findJob(services.store, id)).state).toBe('succeeded');
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['waited for somebody', (id) => died(id, 'waiting')],
    [
      'was left at a stop',
      (id) =>
        services.store.write((tx) => tx.run("UPDATE job SET state = 'running', lease_owner = NULL WHERE id = ?", [id])),
    ],
  ])('is another than one that %s, however often', async (_what, leave) => {
    const id = await queue();
    for (let life = 0; life < RESUMES_MOST + 3; life++) {
      expect(await live(dies)).toBe(1);
      await leave(id);
    }
    expect(await live(async () => null)).toBe(1);
    expect((await findJob(services.store, id)).state).toBe('succeeded');
  });

  test('stops where it can put back what it began, when it says so', async () => {
    const id = await queue();
    await services.store.write((tx) => tx.run('UPDATE job SET resumes = ? WHERE id = ?', [RESUMES_MOST, id]));
    await died(id);
    const put: string[] = [];
    const work = async (job: JobRun) => {
      put.push('reached');
      try {
        job.stopIfSpent();
      } finally {
        put.push('put back');
      }
    };
    expect(await live(work, { putsBack: true })).toBe(1);
    expect([put, (await findJob(services.store, id)).state]).toEqual([['reached', 'put back'], 'failed']);
  });
});
