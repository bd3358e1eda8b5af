// Lanes: what touches this host runs alone, what works elsewhere or on files runs beside it, a few at once; each is stopped,
// left, taken over and fenced off by itself.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { cancelJob, findJob, type JobState } from '../../../../shared/kernel/jobs/job.ts';
import type { JobKind, Lane } from '../../../../shared/kernel/jobs/kind.ts';
import { LEASE_SECONDS } from '../../../../shared/kernel/jobs/lease.ts';
import { Cancelled, type JobRun, Left } from '../../../../shared/kernel/jobs/run.ts';
import { type JobScene, openJobs } from '../../../setup/job-scene.ts';
import { until as settled } from '../../../setup/until.ts';

let scene: JobScene;
beforeEach(async () => {
  scene = await openJobs();
});
afterEach(() => scene.close());

const stateOf = async (id: string): Promise<JobState> => (await findJob(scene.services.store, id)).state;

/** Kinds whose jobs run until they are let go, and what ran at the same time. */
function held(lane: Lane, work: (job: JobRun) => Promise<unknown> = async () => null) {
  const running = new Map<string, () => void>();
  let most = 0;
  const kind: JobKind = {
    kind: lane,
    lane,
    async run(job) {
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(job.id, resolve);
      most = Math.max(most, running.size);
      await promise;
      running.delete(job.id);
      return work(job);
    },
  };
  return { kind, running, most: () => most, release: () => running.forEach((resolve) => void resolve()) };
}

describe('lanes', () => {
  test('a job on a remote machine never holds up one on this host, nor the other way round', async () => {
    const [host, remote] = [held('host'), held('remote')];
    const runner = scene.runner([host.kind, remote.kind]);
    const first = await scene.queue('remote');
    runner.wake();
    await settled(() => remote.running.size === 1);
    const second = await scene.queue('host');
    const third = await scene.queue('remote');
    runner.wake();
    await settled(() => remote.running.size === 2 && host.running.size === 1);
    host.release();
    await settled(async () => (await stateOf(second)) === 'succeeded');
    expect([await stateOf(first), await stateOf(third)]).toEqual(['running', 'running']);
    remote.release();
    await runner.idle();
    expect([await stateOf(first), await stateOf(third)]).toEqual(['succeeded', 'succeeded']);
  });

  test('on this host one at a time, elsewhere four, oldest first', async () => {
    const [host, remote] = [held('host'), held('remote')];
    const order: string[] = [];
    const noted = (kind: JobKind): JobKind => ({
      ...kind,
      run(job) {
        order.push(job.id);
        return kind.run(job);
      },
    });
    const runner = scene.runner([noted(host.kind), noted(remote.kind)]);
    const queued: Record<Lane, string[]> = { host: [], remote: [], files: [] };
    for (let n = 0; n < 6; n++) {
      queued.remote.push(await scene.queue('remote'));
      if (n < 3) queued.host.push(await scene.queue('host'));
      await new Promise((done) => setTimeout(done, 2));
    }
    runner.wake();
    await settled(() => remote.running.size === 4 && host.running.size === 1);
    await new Promise((done) => setTimeout(done, 30));
    expect([...remote.running.keys()]).toEqual(queued.remote.slice(0, 4));
    remote.running.get(queued.remote[2]!)!();
    await settled(() => remote.running.has(queued.remote[4]!));
    const letGo = setInterval(() => [host, remote].forEach(({ release }) => void release()), 2);
    await runner.idle();
    clearInterval(letGo);
    expect([host.most(), remote.most()]).toEqual([1, 4]);
    for (const lane of ['host', 'remote'] as const) {
      expect(order.filter((id) => queued[lane].includes(id))).toEqual(queued[lane]);
    }
  });

  test('a crowd that waits in one lane hides nothing of the other', async () => {
    const [host, remote] = [held('host'), held('remote')];
    for (let n = 0; n < 70; n++) await scene.queue('remote', []);
    const id = await scene.queue('host');
    const runner = scene.runner([host.kind, remote.kind]);
    runner.wake();
    await settled(() => host.running.has(id));
    const letGo = setInterval(() => [host, remote].forEach(({ release }) => void release()), 1);
    await runner.idle();
    clearInterval(letGo);
    expect(remote.most()).toBe(4);
  });

  test('a file of the depot waits neither for this host nor for other machines', async () => {
    const [host, remote, files] = [held('host'), held('remote'), held('files')];
    const kinds = [host.kind, remote.kind, files.kind];
    for (let n = 0; n < 5; n++) for (const { kind } of kinds) await scene.queue(kind);
    const runner = scene.runner(kinds);
    runner.wake();
    await settled(() => host.running.size === 1 && remote.running.size === 4 && files.running.size === 1);
    const letGo = setInterval(() => [host, remote, files].forEach(({ release }) => void release()), 1);
    await runner.idle();
    clearInterval(letGo);
    expect([host.most(), remote.most(), files.most()]).toEqual([1, 4, 1]);
  });

  test('one that is cancelled before its turn ends at once, however full every lane is', async () => {
    const [host, remote, files] = [held('host'), held('remote'), held('files')];
    const ended: string[] = [];
    const kinds = [host.kind, remote.kind, files.kind].map(
      (kind): JobKind => ({ ...kind, ended: async ({ id }, outcome) => void ended.push(`${id} ${outcome}`) }),
    );
    const runner = scene.runner(kinds);
    for (let n = 0; n < 4; n++) await scene.queue('remote');
    for (const kind of ['host', 'files']) await scene.queue(kind);
    runner.wake();
    await settled(() => host.running.size === 1 && remote.running.size === 4 && files.running.size === 1);
    const late = [await scene.queue('host'), await scene.queue('remote'), await scene.queue('files')];
    const next = await scene.queue('host');
    await scene.services.store.write(async (tx) => {
      for (const id of late) await cancelJob(tx, id);
    });
    scene.services.notify('jobs');
    await settled(() => ended.length === 3);
    expect(ended.sort()).toEqual(late.map((id) => `${id} cancelled`).sort());
    expect(await Promise.all(late.map(stateOf))).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect([host.running.size, remote.running.size, files.running.size, await stateOf(next)]).toEqual([
      1,
      4,
      1,
      'queued',
    ]);
    const letGo = setInterval(() => [host, remote, files].forEach(({ release }) => void release()), 1);
    await runner.idle();
    clearInterval(letGo);
    expect([host.most(), remote.most(), files.most(), await stateOf(next)]).toEqual([1, 4, 1, 'succeeded']);
  });

  test('one that fails, or whose end can not be written, leaves the others alone', async () => {
    const remote = held('remote');
    let ends = 0;
    const broken: JobKind = {
      kind: 'broken',
      lane: 'remote',
      run: async () => null,
      ended: async () => {
        if (++ends === 1) throw new Error('the disk is full');
      },
    };
    const runner = scene.runner([remote.kind, broken]);
    const good = await scene.queue('remote');
    const bad = await scene.queue('broken');
    runner.wake();
    await settled(() => ends === 1 && remote.running.size === 1);
    expect(await stateOf(bad)).toBe('running');
    runner.wake();
    await settled(async () => (await stateOf(bad)) === 'succeeded');
    expect(
      (await scene.services.store.one<{ resumes: number }>('SELECT resumes FROM job WHERE id = ?', [bad]))!,
    ).toEqual({ resumes: 0 });
    remote.release();
    await runner.idle();
    expect(await stateOf(good)).toBe('succeeded');
  });
});

describe('taking over', () => {
  test('each of several whose owner died goes on at once, from what it wrote down', async () => {
    const seen: Record<string, unknown>[] = [];
    const kind = (name: string, lane: Lane): JobKind => ({
      kind: name,
      lane,
      async run(job) {
        seen.push({ kind: name, ...job.kept });
        if (job.kept.lease === undefined) {
          await job.keep({ lease: `${name}-1`, at: 'uploading' });
          await job.keep({ at: 'waiting' });
          throw new Left();
        }
        return job.kept;
      },
    });
    const kinds = [kind('host', 'host'), kind('deploy', 'remote'), kind('depot', 'remote')];
    const ids = [await scene.queue('host'), await scene.queue('deploy'), await scene.queue('depot')];
    const first = scene.runner(kinds);
    first.wake();
    await settled(() => seen.length >= 3);
    await first.stop();
    for (const id of ids) await scene.died(id);
    await scene.runner(kinds).idle();
    const jobs = await Promise.all(ids.map((id) => findJob(scene.services.store, id)));
    expect(jobs.map(({ state, result }) => [state, result])).toEqual([
      ['succeeded', { lease: 'host-1', at: 'waiting' }],
      ['succeeded', { lease: 'deploy-1', at: 'waiting' }],
      ['succeeded', { lease: 'depot-1', at: 'waiting' }],
    ]);
    const resumes = await scene.services.store.all('SELECT resumes FROM job');
    expect(resumes).toEqual([{ resumes: 1 }, { resumes: 1 }, { resumes: 1 }]);
    expect(JSON.stringify(jobs)).not.toContain('kept');
  });

  test('whoever lost a job writes nothing any more, and is told by its signal', async () => {
    jest.useFakeTimers({
      doNotFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'],
    });
    try {
      const told: unknown[] = [];
      const [lost, kept] = ['lost', 'kept'].map(
        (name): JobKind => ({
          kind: name,
          lane: 'remote',
          async run(job) {
            await job.keep({ mine: true });
            await job.sleep(60_000).catch((error: Error) => told.push([name, error.constructor.name, error.message]));
            await job.progress('one', { percent: 50 });
            await job.keep({ mine: 'still' });
            return null;
          },
        }),
      ) as [JobKind, JobKind];
      const runner = scene.runner([lost, kept]);
      const [a, b] = [await scene.queue('lost'), await scene.queue('kept')];
      runner.wake();
      await settled(async () => (await notes(a)).includes('mine') && (await notes(b)).includes('mine'));
      const other =
        "UPDATE job SET lease_owner = 'elsewhere/1/1', lease_until = '9999', kept = '{\"theirs\":1}' WHERE id = ?";
      await scene.services.store.write((tx) => tx.run(other, [a]));
      jest.advanceTimersByTime(5000);
      await settled(() => told.length === 1);
      expect(told).toEqual([['lost', 'Error', `the lease of ${a} was taken by another runner`]]);
      await settled(() => scene.logged.some((line) => line.includes('job queue failure')));
      expect([await notes(a), await stateOf(a), await stateOf(b)]).toEqual(['{"theirs":1}', 'running', 'running']);
    } finally {
      jest.useRealTimers();
    }
  });

  test('notes of a process that comes back too late are refused without waiting for a heartbeat', async () => {
    const kind: JobKind = {
      kind: 'late',
      lane: 'remote',
      async run(job) {
        await scene.services.store.write((tx) =>
          tx.run("UPDATE job SET lease_owner = 'elsewhere/1/1', lease_until = ? WHERE id = ?", [
            new Date(Date.now() + LEASE_SECONDS * 1000).toISOString(),
            job.id,
          ]),
        );
        await expect(job.keep({ mine: true })).rejects.toThrow('was taken by another runner');
        expect([job.fenced, job.signal.aborted]).toEqual([true, true]);
        throw new Left();
      },
    };
    const id = await scene.queue('late');
    await scene.runner([kind]).idle();
    expect(await notes(id)).toBe('{}');
    expect(await scene.services.store.one('SELECT lease_owner FROM job')).toEqual({ lease_owner: 'elsewhere/1/1' });
  });

  test('jobs whose end can not be written are tried again at the next look, not in an endless turn', async () => {
    let runs = 0;
    const kind: JobKind = {
      kind: 'unended',
      lane: 'remote',
      run: async () => runs++,
      ended: async () => {
        throw new Error('no space left');
      },
    };
    const ids = [await scene.queue('unended'), await scene.queue('unended')];
    const runner = scene.runner([kind]);
    await runner.idle();
    const first = runs;
    expect([first >= 2, first < 10]).toEqual([true, true]);
    await runner.idle();
    expect(runs).toBeGreaterThan(first);
    expect(await Promise.all(ids.map(stateOf))).toEqual(['running', 'running']);
  });

  const notes = async (id: string): Promise<string> =>
    (await scene.services.store.one<{ kept: string }>('SELECT kept FROM job WHERE id = ?', [id]))!.kept;
});

describe('stopping', () => {
  const sleeper = (lane: Lane, told: unknown[] = []): JobKind => ({
    kind: lane,
    lane,
    async run(job) {
      await job.startTask('one');
      try {
        await job.sleep(3_600_000);
      } catch (error) {
        told.push((error as Error).constructor);
        throw error;
      }
    },
  });

  /** Of a job that sleeps for an hour. */
  async function reached(notified: boolean): Promise<void> {
    const told: unknown[] = [];
    const runner = scene.runner([sleeper('remote', told)]);
    const [id, other] = [await scene.queue('remote'), await scene.queue('remote')];
    runner.wake();
    await settled(async () => (await stateOf(id)) === 'running' && (await stateOf(other)) === 'running');
    await scene.services.store.write((tx) => cancelJob(tx, id));
    if (notified) scene.services.notify('jobs');
    await settled(async () => (await stateOf(id)) === 'cancelled');
    expect([told, await stateOf(other)]).toEqual([[Cancelled], 'running']);
    expect((await findJob(scene.services.store, id)).tasks).toMatchObject([{ state: 'cancelled' }]);
    await runner.stop();
  }

  test('somebody’s wish reaches a job that sleeps where another process wrote it down', () => reached(false));

  test('somebody’s wish reaches a job that sleeps, told at once where it was asked for', async () => {
    // No look of the runner's own ever comes.
    jest.useFakeTimers({
      doNotFake: [
        ...(['setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
        ...(['nextTick', 'queueMicrotask', 'performance', 'Date'] as const),
      ],
    });
    try {
      await reached(true);
    } finally {
      jest.useRealTimers();
    }
  });

  test('one that was asked to stop while nobody ran it has its signal aborted from the start', async () => {
    const seen: boolean[] = [];
    const kind: JobKind = {
      kind: 'remote',
      lane: 'remote',
      async run(job) {
        seen.push(job.signal.aborted);
        await job.sleep(1000);
      },
    };
    const id = await scene.queue('remote');
    await scene.died(id);
    await scene.services.store.write((tx) => cancelJob(tx, id));
    await scene.runner([kind]).idle();
    expect([seen, await stateOf(id)]).toEqual([[true], 'cancelled']);
  });

  test('what was thrown because of the signal counts as its reason, another fault as what it is', async () => {
    let begun = 0;
    const kind: JobKind = {
      kind: 'remote',
      lane: 'remote',
      async run(job) {
        begun += 1;
        await job.sleep(3_600_000).catch(() => undefined);
        throw job.job.input.wrapped ? new DOMException('gone', 'AbortError') : new Error('another one');
      },
    };
    const runner = scene.runner([kind]);
    const ids = [await scene.queue('remote', ['one'], { wrapped: true }), await scene.queue('remote', ['one'], {})];
    runner.wake();
    // One that is asked before it has begun never does.
    await settled(async () => begun === 2);
    for (const id of ids) await scene.services.store.write((tx) => cancelJob(tx, id));
    scene.services.notify('jobs');
    await runner.idle();
    expect(await Promise.all(ids.map(stateOf))).toEqual(['cancelled', 'failed']);
  });

  test('the service: those elsewhere are left to the next start, the one on this host ends, none is begun', async () => {
    const told: unknown[] = [];
    const host = held('host');
    const runner = scene.runner([host.kind, sleeper('remote', told)]);
    const [here, away] = [await scene.queue('host'), await scene.queue('remote')];
    runner.wake();
    await settled(async () => host.running.size === 1 && (await stateOf(away)) === 'running');
    const later = await scene.queue('host');
    const stopped = runner.stop();
    await settled(() => told.length === 1);
    host.release();
    await stopped;
    expect([await stateOf(here), await stateOf(away), await stateOf(later)]).toEqual([
      'succeeded',
      'running',
      'queued',
    ]);
    expect(told).toEqual([Left]);
    expect(await scene.services.store.one('SELECT lease_owner, resumes FROM job WHERE id = ?', [away])).toEqual({
      lease_owner: null,
      resumes: 0,
    });
  });

  test('the service, just as a job is taken: it is given back as it was', async () => {
    const ran: string[] = [];
    const runner = scene.runner([{ kind: 'host', run: async ({ id }) => void ran.push(id) }]);
    const id = await scene.queue('host');
    const { store } = scene.services;
    const write = store.write.bind(store);
    store.write = (async (...given: Parameters<typeof write>) => {
      const answer = await write(...given);
      void runner.stop();
      return answer;
    }) as typeof write;
    runner.wake();
    await runner.stop();
    store.write = write;
    expect([ran, await store.one('SELECT state, lease_owner, resumes FROM job WHERE id = ?', [id])]).toEqual([
      [],
      { state: 'queued', lease_owner: null, resumes: 0 },
    ]);
  });
});
