// groundcrew vault rotate-key.
import { setTimeout as sleep } from 'node:timers/promises';
import { newKeyId } from '../../shared/ground/sealing/keyring.ts';
import { makeKey, refuseUnreadable, retireKeys, rewrapEntries } from '../../shared/platform/vaults/rotate.ts';
import { auditContext, type Command, change, readArguments } from './command.ts';

/** Between two batches, milliseconds: a service that runs gets its turn to write. */
const PAUSE = 30;

export const rotateKey: Command = {
  parse(words) {
    readArguments({ args: words, options: {} });
    return async (services) => {
      const kek_id = newKeyId(services.entropy);
      // Recorded before anything is done; refused while an apply owns all mutations.
      await change(services, async () => {
        const event = { action: 'vault.key.rotate', resource_type: 'vault_key', resource_id: kek_id };
        return { result: null, event: { ...event, detail: {} } };
      });
      await makeKey(services, kek_id);
      const rewrapped = await rewrapEntries(services, () => sleep(PAUSE));
      const retired = await retireKeys(services, auditContext(services), rewrapped);
      process.stderr.write(
        `The vaults have a new key; entries sealed under it: ${rewrapped.entries}, older keys forgotten: ${retired.length}.\n`,
      );
      refuseUnreadable(rewrapped);
      return 0;
    };
  },
};
