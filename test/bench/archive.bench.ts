// An archive of many records: written, and restored to an empty appliance, beside a bare load of the same rows into the same
// tables of SQLite. What counts are the ratios, and that the peak of memory grows with what a page has, not with the rows; and
// how long one who reads waits at worst, beside ordinary edits of the same appliance.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../setup/program.ts';

const COUNTS = [1_000, 25_000, 100_000];

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
} finally {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(program, '..'), { recursive: true, force: true });
}
