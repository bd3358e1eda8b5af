// Issues a certificate for a request and revokes it, each in one transaction with its audit row, and ends itself by SIGKILL at
// one of the statements. What is answered is said on standard output.
// Arguments: data folder, file of the request, number of the statement (0: none).
import { readFileSync, writeSync } from 'node:fs';
import { instant } from '../../shared/ground/clock.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';
import { type AuditEvent, appendAudit } from '../../shared/kernel/audit/audit.ts';
import { parseRequest } from '../../shared/platform/certificate-authority/csr.ts';
import { signInto, wantedOf } from '../../shared/platform/certificate-authority/issue-request.ts';
import { revokeCertificate } from '../../shared/platform/certificate-authority/revoke.ts';
import { openSide } from '../setup/vault-scene.ts';

const [folder = '', request = '', fatal = '0'] = process.argv.slice(2);
let counts = false;
let step = 0;
const side = await openSide(folder, (_sql, connection) => {
  if (counts && connection === 'writer' && ++step === Number(fatal)) process.kill(process.pid, 'SIGKILL');
});
const parsed = await parseRequest(readFileSync(request, 'utf8'));
const context = () => ({
  at: instant(side.clock.now()),
  actor: systemActor('test'),
  request_id: 'test',
  source_address: '',
});
const record = (tx: Parameters<typeof appendAudit>[0], event: AuditEvent) =>
  appendAudit(tx, side.keys, context(), event, { holdsLock: true });

counts = true;
const signed = await side.store.write(async (tx) => {
  const { id, event } = await signInto(tx, side, 'test', wantedOf(parsed, { profile: 'server' }));
  writeSync(1, `signed ${id}\n`);
  await record(tx, event);
  return id;
});
writeSync(1, `answered ${signed}\n`);
await side.store.write(async (tx) => record(tx, await revokeCertificate(tx, side, signed, 'superseded')));
writeSync(1, `revoked ${signed}\n`);
counts = false;
await side.store.close();
writeSync(1, 'done\n');
