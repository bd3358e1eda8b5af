// Creates keys by KMIP and ends itself by SIGKILL at one of the statements or steps between a request's arrival and its answer.
// What is answered is said on standard output, with the digest of the key's material.
// Arguments: data folder, number of the statement or step (0: none), keys to create.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { CREATE, idIn, materialIn, named, read, request } from '../setup/kmip-messages.ts';
import { ask, openKms } from '../setup/kms-side.ts';

const [folder = '', fatal = '0', keys = '1'] = process.argv.slice(2);
let counts = false;
let step = 0;
const next = (): void => {
  if (counts && ++step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
};
const side = await openKms(folder, (_sql, connection) => {
  if (connection === 'writer') next();
});
side.checkpoint = next;
for (let made = 0; made < Number(keys); made++) {
  counts = true;
  const answer = read(await ask(side, request([{ operation: 'Create', payload: CREATE }])));
  counts = false;
  const id = idIn(answer);
  const material = materialIn(read(await ask(side, request([{ operation: 'Get', payload: [named(id)] }]))));
  writeSync(1, `answered ${id} ${createHash('sha256').update(material).digest('hex')}\n`);
}
await side.store.close();
writeSync(1, 'done\n');
