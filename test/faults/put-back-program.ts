// Takes a snapshot, or puts one back, and ends itself by SIGKILL at a named step. Arguments: data folder; name of the
// snapshot, or `take`; step, or nothing.
import { join } from 'node:path';
import { putBack } from '../../runtime/put-back.ts';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { systemActor } from '../../shared/kernel/access/actor.ts';

const [data = '', name = '', last = ''] = process.argv.slice(2);
process.umask(0o077);
const step = (at: string): void => {
  if (at === last) process.kill(process.pid, 'SIGKILL');
};
const context = { at: '2026-05-01T08:00:00.000Z', actor: systemActor('test'), request_id: 'test', source_address: '' };
if (name === 'take') await takeSnapshot(join(data, DATABASE_FILE), 'on-request', systemClock, { step });
else await putBack({ data, name, lose_values: false, clock: systemClock, entropy: systemEntropy, context, step });
