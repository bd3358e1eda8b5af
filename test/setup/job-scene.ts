// Jobs alone: a database of its own and a runner, with nothing else of an appliance. Kinds are made by the test.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant, later, systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE, openStore } from '../../shared/ground/store/open-store.ts';
import { queueJob } from '../../shared/kernel/jobs/job.ts';
import type { JobKind } from '../../shared/kernel/jobs/kind.ts';
import { leaseOwner } from '../../shared/kernel/jobs/lease.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

export interface JobScene {
  services: Services;
  folder: string;
  /** Lines of the log, as text. */
  logged: string[];
  runner(kinds: readonly JobKind[]): JobRunner;
  queue(kind: string, tasks?: readonly string[], input?: Record<string, unknown>): Promise<string>;
  /** As if another process had run it, which is dead. */
  died(id: string): Promise<unknown>;
  close(): Promise<void>;
}

export const DEAD = leaseOwner().replace(/\/\d+\//, '/999999/');

export async function openJobs(given?: string): Promise<JobScene> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'groundcrew-jobs-')));
  if (given === undefined) await writeFile(join(folder, DATABASE_FILE), await emptyDatabase());
  const store = await openStore(folder);
  const logged: string[] = [];
  const log = (...words: unknown[]) => void logged.push(JSON.stringify(words));
  const runners: JobRunner[] = [];
  const services = {
    settings: { base_url: 'http://127.0.0.1' },
    store,
    clock: { ...systemClock },
    entropy: systemEntropy,
    logger: { info: log, warn: log, error: log, debug: log },
    notify: (topic: string) => {
      if (topic !== 'pending') for (const runner of runners) runner.wake();
    },
  } as unknown as Services;
  return {
    services,
    folder,
    logged,
    runner(kinds) {
      const runner = new JobRunner(services, kinds);
      runners.push(runner);
      return runner;
    },
    queue: (kind, tasks = ['one'], input = {}) =>
      store.write((tx) =>
        queueJob(tx, services.clock.now(), services.entropy, {
          kind,
          subject: null,
          input,
          created_by: 'ada',
          tasks: tasks.map((name) => ({ name, title: `Task ${name}` })),
        }),
      ),
    died: (id) =>
      store.write((tx) =>
        tx.run("UPDATE job SET state = 'running', lease_owner = ?, lease_until = ? WHERE id = ?", [
          DEAD,
          instant(later(new Date(), 60)),
          id,
        ]),
      ),
    async close() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await store.close();
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

let empty: Promise<Buffer> | null = null;

/** Migrated once for all scenes of a process. */
function emptyDatabase(): Promise<Buffer> {
  empty ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'groundcrew-jobs-'));
    await (await openStore(folder)).close();
    const bytes = await readFile(join(folder, DATABASE_FILE));
    await rm(folder, { recursive: true });
    return bytes;
  })();
  return empty;
}
