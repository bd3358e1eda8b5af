// An archive of many records: written, and restored to an empty appliance, beside a bare load of the same rows into the same
// tables of SQLite. What counts are the ratios, and that the peak of memory grows with what a page has, not with the rows; and
// how long one who reads waits at worst, beside ordinary edits of the same appliance. Last the requests of others while the
// largest one is restored by its API: each may wait OTHERS_BAR times as long as beside ordinary edits of another writer, at worst.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../setup/program.ts';

const COUNTS = [1_000, 25_000, 100_000];
/** A request of another during a restore to one beside ordinary edits. */
const OTHERS_BAR = 1.5;

interface Measured {
  ms: number;
  held: number;
  late: number;
  peak_mb: number;
}

const run = promisify(execFile);
const program = await bundleProgram('test/bench/archive-program.ts');
const measured = async (data: string, what: string, count: number): Promise<Measured> => {
  mkdirSync(data, { recursive: true });
  const { stdout } = await run(process.execPath, [program, data, what, String(count)]);
  return JSON.parse(stdout) as Measured;
};

interface Others {
  ms: number;
  let_in: number | null;
  waited: Record<string, { worst: number; statuses: Record<string, number> }>;
}

/** Prints what the requests of others waited for; answers whether each is within the bar. */
async function beside(count: number): Promise<boolean> {
  const { stdout } = await run(process.execPath, [othersProgram, String(count)]);
  const { restore, beside: edits } = JSON.parse(stdout) as { restore: Others; beside: Others };
  console.log(`${count} records restored by the API in ${restore.ms.toFixed(0)} ms; meanwhile at worst`);
  let within = true;
  for (const [name, { worst, statuses }] of Object.entries(restore.waited)) {
    const ordinary = edits.waited[name]!.worst;
    const ratio = worst / ordinary;
    if (ratio > OTHERS_BAR) within = false;
    const answered = Object.entries(statuses).map(([status, times]) => `${times} x ${status}`);
    const bar = `${ratio.toFixed(1)} x of ${ordinary.toFixed(0)} ms beside edits (bar ${OTHERS_BAR})`;
    console.log(`  ${name.padEnd(8)} ${worst.toFixed(0)} ms   ${bar}   ${answered.join(', ')}`);
  }
  if (restore.let_in !== null)
    console.log(
      `  who was refused signing in and came again when told to was in after ${restore.let_in.toFixed(0)} ms`,
    );
  return within;
}

const othersProgram = await bundleProgram('test/bench/archive-others-program.ts');
const folder = mkdtempSync(join(tmpdir(), 'groundcrew-bench-'));
try {
  for (const count of COUNTS) {
    const at = (name: string): string => join(folder, String(count), name);
    await measured(at('full'), 'sow', count);
    const bare = await measured(at('bare'), 'bare', count);
    const write = await measured(at('full'), 'write', count);
    const restore = await measured(at('empty'), 'restore', count);
    const edits = await measured(at('empty'), 'edits', count);
    console.log(`${count} records; a bare load takes ${bare.ms.toFixed(0)} ms, ${bare.peak_mb.toFixed(0)} MB`);
    for (const [name, { ms, peak_mb, late }] of Object.entries({ write, restore })) {
      const figures = [`${ms.toFixed(0)} ms`, `${(ms / bare.ms).toFixed(1)} x`, `peak ${peak_mb.toFixed(0)} MB`];
      console.log(`  ${name.padEnd(8)} ${figures.join('   ')}   a reader waits ${late.toFixed(0)} ms at worst`);
    }
    console.log(`  beside ordinary edits of that appliance a reader waits ${edits.late.toFixed(0)} ms at worst`);
    console.log(`  its transaction keeps others from writing for ${restore.held.toFixed(0)} ms`);
  }
  if (!(await beside(COUNTS.at(-1)!))) {
    console.log('others wait longer during a restore than beside ordinary edits');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  for (const each of [program, othersProgram]) rmSync(join(each, '..'), { recursive: true, force: true });
}
