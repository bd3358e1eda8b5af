// Starts the service.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { whileStarting } from './starting.ts';

// The old generation is collected when it has grown to three times of what lived the last time. V8's own rule lets a service that
// keeps little of what it is asked grow by some megabytes only, and a collection takes longer than answering a hundred requests.
setFlagsFromString('--heap-growing-percent=200');

await whileStarting(async () => {
  const { runService } = await import('./service.ts');
  await runService(dirname(fileURLToPath(import.meta.url)));
});
