// What happens over time: the audit chain notices every tampering, jobs go on after their owner died, the ticker keeps
// to an injected clock, last uses are written behind.
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { scheduled as pruneApplyFiles } from '../../../../handlers/scheduled/prune-apply-files.ts';
import { Ticker } from '../../../../runtime/ticker.ts';
import { instant, later } from '../../../../shared/ground/clock.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import { systemActor } from '../../../../shared/kernel/access/actor.ts';
import { appendAudit, verifyAudit } from '../../../../shared/kernel/audit/audit.ts';
import { cancelJob, findJob, queueJob } from '../../../../shared/kernel/jobs/job.ts';
import { leaseOwner, ownerIsDead, RESUMES_MOST } from '../../../../shared/kernel/jobs/lease.ts';
import { type JobRun, Left } from '../../../../shared/kernel/jobs/run.ts';
import { type JobKind, JobRunner } from '../../../../shared/kernel/jobs/runner.ts';
import { defineScheduled } from '../../../../shared/kernel/operation/define-scheduled.ts';
import type { Services } from '../../../../shared/kernel/operation/services.ts';
import { saveBaseline } from '../../../../shared/platform/applied/baseline.ts';
import { House } from '../../../setup/house.ts';

let house: House;
let services: Services;
beforeEach(async () => {
  house = await House.open();
  services = house.services;
});
afterEach(() => house.close());

describe('the audit chain', () => {
  const context = { at: '2026-01-01T00:00:00.000Z', actor: systemActor('test'), request_id: 'r', source_address: '' };
  const append = (n: number) =>
    services.store.write((tx) =>
      appendAudit(tx, services.keys, context, {
        action: `test.${n}`,
        resource_type: 'test',
        resource_id: null,
        detail: { n },
      }),
    );

  beforeEach(async () => {
    for (let n = 1; n <= 5; n++) await append(n);
  });

  test('is whole after ordinary appends, and after one that was rolled back', async () => {
    await services.store.write(
      (tx) => appendAudit(tx, services.keys, context, { action: 'test.x', resource_type: 'test', resource_id: null }),
      { rollBack: true },
    );
    await append(6);
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: true, events: 6, fault: null });
  });

  test.each([
    ['a changed detail', "UPDATE audit_event SET detail = '{}' WHERE seq = 3", 'event 3 was changed'],
    ['a changed outcome', "UPDATE audit_event SET outcome = 'failure' WHERE seq = 2", 'event 2 was changed'],
    ['a removed event', 'DELETE FROM audit_event WHERE seq = 3', 'event 3 is missing'],
    ['a renumbered tail', 'UPDATE audit_event SET seq = seq - 1 WHERE seq > 3', 'event 3 does not follow event 2'],
  ])('%s shows', async (name, harm, fault) => {
    if (name === 'a renumbered tail')
      await services.store.write((tx) => tx.run('DELETE FROM audit_event WHERE seq = 3'));
    await services.store.write((tx) => tx.run(harm));
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: false, fault });
  });

  test('another process appending in between does not break it', async () => {
    const other = await House.open({ data: house.data });
    for (let n = 6; n <= 9; n++) {
      await append(n);
      await other.services.store.write((tx) =>
        appendAudit(tx, other.services.keys, context, {
          action: `other.${n}`,
          resource_type: 'test',
          resource_id: null,
        }),
      );
    }
    await other.close(true);
    expect(await verifyAudit(services.store, services.keys)).toMatchObject({ ok: true, events: 13 });
  });

  test('its gate refuses a mutation once a guarded operation owns everything', async () => {
    await services.store.write((tx) =>
      tx.run("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '2026-01-01T00:00:00.000Z')"),
    );
    await expect(append(6)).rejects.toMatchObject({ code: 'mutation_locked', members: { owner: { job_id: 'job_x' } } });
    expect((await verifyAudit(services.store, services.keys)).events).toBe(5);
  });
});

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

describe('the clock', () => {
  test('calls each scheduled handler when its time has come, one call at a time', async () => {
    let now = new Date('2026-01-01T00:00:00Z');
    const calls: string[] = [];
    const slow = Promise.withResolvers<void>();
    const scheduled = [
      defineScheduled({
        id: 'often',
        every: 2,
        description: '',
        run: async (_services, event) => void calls.push(`often ${event.time.slice(17, 19)}`),
      }),
      defineScheduled({
        id: 'slow',
        every: 1,
        description: '',
        run: () => {
          calls.push('slow');
          return slow.promise;
        },
      }),
      defineScheduled({ id: 'broken', every: 60, description: '', run: async () => Promise.reject(new Error('no')) }),
    ];
    const ticker = new Ticker({ ...services, clock: { now: () => now } }, scheduled);
    for (let second = 0; second < 5; second++) {
      ticker.tick();
      await new Promise((done) => setImmediate(done));
      now = later(now, 1);
    }
    expect(calls).toEqual(['often 00', 'slow', 'often 02', 'often 04']);
    // A clock that is set back by hours, as a first time source does, stops nothing for as long.
    now = later(now, -3 * 3600 + 2);
    ticker.tick();
    await new Promise((done) => setImmediate(done));
    expect(calls.slice(4)).toEqual(['often 07']);
    slow.resolve();
    await ticker.stop();
  });

  test('a credential’s last use is written once a minute, behind the request', async () => {
    const admin = await house.actor('admin');
    const used = async () =>
      (await services.store.one<{ at: string | null }>('SELECT last_used_at AS at FROM api_token WHERE id = ?', [
        admin.token_id,
      ]))!.at;
    await house.send('GET', '/api/v1/jobs', { token: admin.token });
    expect(await used()).toBeNull();
    await services.lastUse.flush(services.store);
    const first = await used();
    expect(first).not.toBeNull();
    await house.send('GET', '/api/v1/jobs', { token: admin.token });
    await services.lastUse.flush(services.store);
    expect(await used()).toBe(first);
  });

  test('baselines that nothing refers to are removed a day later, the one in force stays', async () => {
    const { data } = house;
    const facts = (n: number) => new Map([['setting', n]]);
    const [old, current] = [await saveBaseline(data, facts(1), [], null), await saveBaseline(data, facts(2), [], null)];
    await services.store.write((tx) =>
      tx.run("UPDATE unit_state SET entries_digest = ? WHERE unit = 'network'", [current]),
    );
    const kept = async (days: number) => {
      const clock = { now: () => later(new Date(), days * 86_400) };
      const event = { source: 'groundcrew.ticker' as const, id: 'pruneApplyFiles', time: '' };
      await pruneApplyFiles.handler(event, { services: { ...services, clock } });
      return (await readdir(join(data, 'apply/baselines'))).sort();
    };
    // A file that a running apply takes away between the listing and the look at it: a link to nothing looks the same.
    await symlink('gone', join(data, 'apply/baselines/vanishing'));
    expect(await kept(0)).toEqual([old, current, 'vanishing'].sort());
    // An apply that sets the clock makes its own files look old while it still needs them.
    const lock = (sql: string) => services.store.write((tx) => tx.run(sql));
    await lock("INSERT INTO mutation_lock (scope, job_id, since) VALUES ('all', 'job_x', '')");
    expect(await kept(2)).toEqual([old, current, 'vanishing'].sort());
    await lock('DELETE FROM mutation_lock');
    expect(await kept(2)).toEqual([current, 'vanishing'].sort());
  });
});
