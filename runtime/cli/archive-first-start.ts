// groundcrew archive restore --first-start: an appliance that starts from an archive, with the service running or not.
import type { Forward } from '../../shared/appliance/archive/bring-forward.ts';
import {
  firstChoice,
  refuseOnceStarted,
  type Started,
  startedEvent,
  startFrom,
} from '../../shared/appliance/archive/first-start.ts';
import { rehearse } from '../../shared/appliance/archive/restore.ts';
import { appendAudit } from '../../shared/kernel/audit/audit.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { readConfig } from '../config.ts';
import { discover, firstStart } from '../first-start.ts';
import { showPassword } from '../show-password.ts';
import { auditContext, owningAll } from './command.ts';

/**
 * An archive without accounts leaves those of a first start: of an empty folder it makes the user `admin` first, and shows
 * the password. Whatever ends it then, the folder is that of a new appliance, or has all of the archive.
 * @throws Problem 409 once first start is over; StartFault for a password that can't be one
 */
export async function startFromArchive(
  services: Services,
  forward: Forward,
  leave_out: readonly string[],
): Promise<Started> {
  await refuseOnceStarted(services.store);
  if (forward.accounts === null) await firstStart(services, readConfig().admin_password, showPassword);
  else await discover(services);
  const context = auditContext(services);
  return owningAll(services, async () => {
    await rehearse(services.store, services, forward, firstChoice(leave_out));
    return services.store.write(async (tx) => {
      const started = await startFrom(tx, services, context.actor, forward, leave_out);
      await appendAudit(tx, services.keys, context, startedEvent(forward, started), { holdsLock: true });
      return started;
    });
  });
}
