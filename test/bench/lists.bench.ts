// What lists take with few and with many rows; see lists-program.ts, which runs bundled: it has pages.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleProgram } from '../setup/program.ts';

const program = await bundleProgram('test/bench/lists-program.ts');
const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
rmSync(dirname(program), { recursive: true, force: true });
process.exitCode = status ?? 1;
