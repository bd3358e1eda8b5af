// Starts the service. Loading it makes much that lives on and some that does not: the young generation grows for it to a size
// that an idle service never needs, and V8 would keep the pages. So it may only grow once the service runs.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--semi-space-growth-factor=1');
const { runService } = await import('./service.ts');
await runService(dirname(fileURLToPath(import.meta.url)));
setFlagsFromString('--semi-space-growth-factor=2');
