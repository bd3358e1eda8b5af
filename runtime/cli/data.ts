// groundcrew data snapshot, list, restore.
import { join } from 'node:path';
import { systemClock, systemEntropy } from '../../shared/ground/clock.ts';
import { DATABASE_FILE } from '../../shared/ground/store/open-store.ts';
import { listSnapshots, takeSnapshot } from '../../shared/ground/store/snapshots.ts';
import { auditContext, type Command, change, type FolderCommand, readArguments, Usage } from './command.ts';

export const snapshot: Command = {
  parse(words) {
    readArguments({ args: words, options: {} });
    return async (services) => {
      // Recorded first: whoever can read the copy could read all that the database holds.
      const event = { action: 'data.snapshot', resource_type: 'snapshot', resource_id: null, detail: {} };
      await change(services, async () => ({ result: null, event }), { holdsLock: true });
      const { data } = services.settings;
      const { name } = await takeSnapshot(join(data, DATABASE_FILE), 'on-request', services.clock);
      process.stdout.write(`${name}\n`);
      return 0;
    };
  },
};

export const list: FolderCommand = {
  parse(words) {
    readArguments({ args: words, options: {} });
    return async (data) => {
      const snapshots = await listSnapshots(data);
      for (const { name, at, schema, occasion, size } of snapshots) {
        process.stdout.write(`${[name, at, `schema ${schema}`, occasion, `${size} bytes`].join('\t')}\n`);
      }
      if (snapshots.length === 0) process.stderr.write('There is no snapshot.\n');
      return 0;
    };
  },
};

export const restore: FolderCommand = {
  parse(words) {
    const { values, positionals } = readArguments({
      args: words,
      options: { 'lose-values': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0) throw new Usage('data restore takes the name of one snapshot.');
    return async (data) => {
      const { putBack } = await import('../put-back.ts');
      const shell = { clock: systemClock, entropy: systemEntropy };
      const options = { data, name, lose_values: values['lose-values'], ...shell, context: auditContext(shell) };
      const { put_back, kept } = await putBack(options);
      process.stderr.write(`The database is as it was at ${put_back.at} (schema ${put_back.schema}).\n`);
      if (kept) process.stderr.write(`How it was until now is kept: ${kept.name}\n`);
      process.stderr.write('What is applied on the host stays as it is: review what is pending after the start.\n');
      return 0;
    };
  },
};
