// groundcrew audit verify.
import { verifyAudit } from '../../shared/kernel/audit/audit.ts';
import { type Command, readArguments } from './command.ts';

export const verify: Command = {
  parse(words) {
    readArguments({ args: words, options: {} });
    return async ({ store, keys }) => {
      const { ok, events, head, fault } = await verifyAudit(store, keys);
      if (ok) process.stdout.write(`The chain holds: ${events} events, head ${head}\n`);
      else process.stdout.write(`The chain is broken: ${fault}. It holds up to event ${events}.\n`);
      return ok ? 0 : 1;
    };
  },
};
