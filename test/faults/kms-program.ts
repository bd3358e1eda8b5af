// Creates keys by KMIP, all at once, gets each, and ends itself by SIGKILL at one of the statements or steps between the arrival
// of the requests and the last answer. What is answered is said on standard output: `answered` and the id of a key, `given`, its
// id, and the digest of its material.
// Arguments: data folder, number of the statement or step (0: none), keys to create.
import { createHash } from 'node:crypto';
import { writeSync } from 'node:fs';
import { answer } from '../../shared/services/kms/serving/answer.ts';
import { Trace } from '../../shared/services/kms/serving/trace.ts';
import { CREATE, idIn, materialIn, named, read, request } from '../setup/kmip-messages.ts';
import { CALLER, openKms } from '../setup/kms-side.ts';

const [folder = '', fatal = '0', keys = '1'] = process.argv.slice(2);
let counts = false;
let step = 0;
const next = (): void => {
  if (counts && ++step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
};
const side = await openKms(folder, (_sql, connection) => {
  if (connection === 'writer') next();
});
side.checkpoint = async () => next();
const trace = new Trace(side);

/** As a connection does it. */
async function answered(message: Buffer): Promise<ReturnType<typeof read>> {
  const { bytes, told } = await answer(side, CALLER, message, null);
  await trace.record(CALLER, told);
  return read(bytes);
}

async function createAndGet(): Promise<void> {
  const id = idIn(await answered(request([{ operation: 'Create', payload: CREATE }])));
  writeSync(1, `answered ${id}\n`);
  const material = materialIn(await answered(request([{ operation: 'Get', payload: [named(id)] }])));
  writeSync(1, `given ${id} ${createHash('sha256').update(material).digest('hex')}\n`);
}

counts = true;
await Promise.all(Array.from({ length: Number(keys) }, createAndGet));
counts = false;
await side.store.close();
writeSync(1, 'done\n');
