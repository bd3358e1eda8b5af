// `npm run bench -- storage`: a change of one of 200 datastores, planned and applied with the real NFS-Ganesha; and what a host
// writes and reads there, beside the same server with a configuration by hand. Bundled first, since a whole appliance is in it.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleProgram } from '../setup/program.ts';

const program = await bundleProgram('test/bench/storage-program.ts');
const client = await bundleProgram('test/bench/nfs3-client.ts');
const { status } = spawnSync(process.execPath, [program, client], { stdio: 'inherit' });
for (const each of [program, client]) rmSync(dirname(each), { recursive: true, force: true });
process.exitCode = status ?? 1;
