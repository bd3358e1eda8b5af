// One life of an appliance that imports a file of records and is killed at a step of the import: a name, the statement that saves
// the n-th part of the rows, or a number of milliseconds after the job has begun. Arguments: data folder, step (`none`: no step),
// rows to import (`0`: only goes on with what is there).
import { writeSync } from 'node:fs';
import { readConfig } from '../../runtime/config.ts';
import { openServices } from '../../runtime/services.ts';
import { JobRunner } from '../../shared/kernel/jobs/runner.ts';
import { importJob, queueImport } from '../../shared/services/dns-dhcp/dns/import/job.ts';
import { takeFile } from '../../shared/services/dns-dhcp/dns/import/take.ts';

const [data = '', fatal = 'none', rows = '0'] = process.argv.slice(2);
const NOW = '2026-01-01T00:00:00.000Z';
const services = await openServices(readConfig({ GROUNDCREW_DATA: data, GROUNDCREW_LOG_LEVEL: 'error' }));
const { store } = services;

const die = () => process.kill(process.pid, 'SIGKILL');
services.checkpoint = (step) => {
  if (step === fatal) die();
};

const write = store.write.bind(store);
let parts = 0;
store.write = (work, options) =>
  write(
    (tx) =>
      work({
        ...tx,
        run: async (statement, parameters) => {
          const saves = String(statement).startsWith('INSERT INTO dns_record');
          const done = await tx.run(statement, parameters);
          if (saves && fatal === `part ${++parts}`) die();
          return done;
        },
      }),
    options,
  );

const count = Number(rows);
if (count > 0) {
  await write((tx) =>
    tx.run('INSERT INTO dns_zone (id, name, created_at, updated_at) VALUES (?, ?, ?, ?)', [
      'zone_a',
      'lab.test',
      NOW,
      NOW,
    ]),
  );
  const lines = Array.from({ length: count }, (_, n) => `h${n}.lab.test,A,10.1.${n >> 8}.${n & 255}\n`);
  const { file, type } = await takeFile(services, Buffer.from(`fqdn,type,value\n${lines.join('')}`), 'text/csv');
  if (fatal === 'file') die();
  await write((tx) =>
    queueImport(tx, services, { file, type, check_only: false, behalf: { user_id: null, token_id: null }, by: 'test' }),
  );
}
if (/^\d+$/.test(fatal)) setTimeout(die, Number(fatal));
const runner = new JobRunner(services, [importJob]);
await runner.idle();
await runner.stop();
await store.close();
writeSync(1, 'done\n');
