// Runs jobs of two lanes on a data folder and ends itself by SIGKILL at one of their steps. What they do elsewhere is a line
// in a file. Arguments: data folder, name of the step (none: never).
import { appendFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { JobKind } from '../../shared/kernel/jobs/kind.ts';
import type { JobRun } from '../../shared/kernel/jobs/run.ts';
import { openJobs } from '../setup/job-scene.ts';

const [folder = '', fatal = ''] = process.argv.slice(2);
const scene = await openJobs(folder);

function reached(job: JobRun, name: string): void {
  if (fatal === `${job.job.kind}: ${name}`) process.kill(process.pid, 'SIGKILL');
}

const did = (job: JobRun, what: string) => appendFileSync(join(folder, 'effects'), `${job.id} ${what}\n`);

const here: JobKind = {
  kind: 'here',
  async run(job) {
    for (const name of ['one', 'two']) {
      if (await job.succeeded(name)) continue;
      await job.startTask(name);
      reached(job, name);
      did(job, name);
      await job.endTask(name, 'succeeded');
    }
    return 'done';
  },
};

const away: JobKind = {
  kind: 'away',
  lane: 'remote',
  async run(job) {
    let lease = job.kept.lease;
    if (lease === undefined) {
      await job.startTask('one');
      reached(job, 'before the lease');
      lease = `lease-${process.pid}`;
      did(job, 'lease');
      await job.keep({ lease });
      reached(job, 'after the lease');
      await job.endTask('one', 'succeeded');
    }
    await job.startTask('two');
    for (let done = 0; done <= 3; done++) {
      await job.progress('two', { done_bytes: done, total_bytes: 3 });
      await job.sleep(5);
    }
    reached(job, 'uploaded');
    await job.endTask('two', 'succeeded');
    return lease;
  },
};

await scene.runner([here, away]).idle();
await scene.close();
writeSync(1, 'done\n');
