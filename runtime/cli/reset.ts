// groundcrew data reset.
import { copyBefore, refuseWhileBusy, reset, resetEvent } from '../../shared/appliance/archive/reset.ts';
import { forgetHistory } from '../../shared/appliance/metrics/history-file.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import { readConfig } from '../config.ts';
import { firstUser } from '../first-start.ts';
import { showPassword } from '../show-password.ts';
import { auditContext, type Command, owningAll, Refusal, readArguments, Usage } from './command.ts';

/** Every account goes: the user `admin` is made anew, as at a first start. */
export const resetAppliance: Command = {
  parse(words) {
    const { values } = readArguments({ args: words, options: { confirm: { type: 'string' } } });
    const { confirm } = values;
    if (confirm === undefined) throw new Usage('data reset takes --confirm with the name of the appliance.');
    return async (services) => {
      const { hostname } = services.settings;
      if (confirm !== hostname) throw new Refusal(`Nothing was reset: the name of this appliance is ${hostname}.`);
      const makeAdmin = await firstUser(services, readConfig().admin_password, showPassword);
      const context = auditContext(services);
      const { kept, done } = await owningAll(services, async () => {
        await refuseWhileBusy(services.store);
        const { name } = await copyBefore(services);
        const done = await services.store.write(async (tx) => {
          const gone = await reset(tx, services, context.actor, null);
          await makeAdmin(tx);
          await appendAudit(tx, services.keys, context, resetEvent(gone, name, hostname), { holdsLock: true });
          return gone;
        });
        await forgetHistory(services);
        return { kept: name, done };
      });
      const rows = done.differences.reduce((sum, each) => sum + each.rows.length, 0);
      process.stdout.write(`${kept}\n`);
      process.stderr.write(
        `Reset: ${rows} rows and ${done.accounts_removed} accounts are gone. How it was is kept: ${kept}\n`,
      );
      process.stderr.write('What is in force on the host stays until you review and apply what is pending.\n');
      return 0;
    };
  },
};
