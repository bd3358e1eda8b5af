// `npm run bench -- terminal`: the web terminal of a real service with a real sshd, in a network namespace. What 100 MB of output
// add to the memory of the service, and how long a key takes to its echo, alone and beside a terminal that prints for ever.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { TerminalLab } from '../setup/terminal-lab.ts';

/** Megabytes of growth. */
const BAR = 40;

const there = await TerminalLab.open('tb');
// `unshare` and `ip` become the service: the id of the child is its own.
const status = (field: string): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${there.service.pid}/status`, 'utf8'))?.[1]) / 1000;
let grown = 0;
try {
  there.api('PATCH', '/api/v1/web-terminal/settings', {
    ...{ enabled: true, listen_interfaces: ['mgmt0'], sessions_per_user: 2 },
  });
  await there.apply();
  const words = ['netns', 'exec', there.lab.client, process.execPath, 'test/bench/terminal-visitor.ts'];
  const visitor = spawn('ip', [...words, JSON.stringify(there.asked)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
  });
  let before = Number.NaN;
  for await (const line of createInterface({ input: visitor.stdout })) {
    const { flood, seconds, bytes, ...echo } = JSON.parse(line);
    for (const [when, { median, p99 }] of Object.entries(echo as Record<string, { median: number; p99: number }>))
      console.log(`a key to its echo, ${when}: median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    if (flood === 'begins') {
      // The peak begins anew: proc(5), clear_refs.
      writeFileSync(`/proc/${there.service.pid}/clear_refs`, '5');
      if (Number.isNaN(before)) before = status('VmRSS');
    } else if (flood === 'ended') {
      grown = Math.max(grown, status('VmHWM') - before);
      console.log(`${(bytes / 1e6).toFixed(0)} MB printed in ${seconds.toFixed(1)} s`);
      console.log(
        `memory ${before.toFixed(0)} MB before, at most ${grown.toFixed(0)} MB more, now ${(status('VmRSS') - before).toFixed(0)} (bar ${BAR})`,
      );
    }
  }
} finally {
  await there.close();
}
process.exitCode = grown > 0 && grown < BAR ? 0 : 1;
