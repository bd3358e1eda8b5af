// `npm run bench -- interruption`: what a client sees of an apply, unit by unit. The program with a whole appliance in it
// has pages, which Node does not read as they are: it is bundled first.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleProgram } from '../setup/program.ts';

const program = await bundleProgram('test/bench/interruption-program.ts');
const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
rmSync(dirname(program), { recursive: true, force: true });
process.exitCode = status ?? 1;
