// Starts the service.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { whileStarting } from './starting.ts';

await whileStarting(async () => {
  const { runService } = await import('./service.ts');
  await runService(dirname(fileURLToPath(import.meta.url)));
});
