// `npm run bench -- directory-apply`: a whole apply of one changed user, beside what `directory` says of the follower alone. The
// program with a whole appliance in it has pages, which Node does not read as they are: it is bundled first.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleProgram } from '../setup/program.ts';

const program = await bundleProgram('test/bench/directory-apply-program.ts');
const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
rmSync(dirname(program), { recursive: true, force: true });
process.exitCode = status ?? 1;
