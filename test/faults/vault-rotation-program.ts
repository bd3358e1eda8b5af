// Rotates the key of a data folder's vaults again and again, and ends itself by SIGKILL at one of the steps.
// Arguments: data folder, number of the step (0: never, somebody else ends it).
import { writeSync } from 'node:fs';
import { openSide, rotate } from '../setup/vault-scene.ts';

const [folder = '', fatal = '0'] = process.argv.slice(2);
let step = 0;
const side = await openSide(folder);
writeSync(1, 'ready\n');
do {
  await rotate({
    ...side,
    checkpoint: (name) => {
      step++;
      if (step !== Number(fatal)) return;
      writeSync(1, `${name}\n`);
      process.kill(process.pid, 'SIGKILL');
    },
  });
} while (fatal === '0');
await side.store.close();
writeSync(1, 'done\n');
