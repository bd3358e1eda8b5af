// Starts the service. Loading it makes much that lives on and some that does not: the young generation grows for it to a size
// that an idle service never needs, and V8 would keep the pages. So it may only grow once the service runs. What runs once is
// not worth machine code either: the compilers that optimize wait until then, and an idle service never has their pages.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

for (const flag of ['--semi-space-growth-factor=1', '--no-opt', '--no-maglev']) setFlagsFromString(flag);
const { runService } = await import('./service.ts');
await runService(dirname(fileURLToPath(import.meta.url)));
for (const flag of ['--semi-space-growth-factor=2', '--opt', '--maglev']) setFlagsFromString(flag);
