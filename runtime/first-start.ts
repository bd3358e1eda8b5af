// The very first start: the user `admin` with the given or a generated password, and the machine's interfaces.

import { refreshInterfaces } from '../shared/appliance/edits/refresh-interfaces.ts';
import { instant } from '../shared/ground/clock.ts';
import type { Transaction } from '../shared/ground/store/database.ts';
import { StartFault } from '../shared/ground/store/open-store.ts';
import { systemActor } from '../shared/kernel/access/actor.ts';
import { hashPassword } from '../shared/kernel/access/password.ts';
import { passwordFault } from '../shared/kernel/access/password-rules.ts';
import { anyUser, createUser } from '../shared/kernel/access/user.ts';
import { appendAudit } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';

const ADMIN = 'admin';

/**
 * Makes what a new appliance needs. `show` gets the generated password before the user is there for good: whatever ends the
 * start then, a port that is taken or a kill, nobody is left with a password that was never shown. Answers whether it made the user.
 */
export async function firstStart(
  services: Services,
  given: string | null,
  show: (password: string) => void,
): Promise<boolean> {
  await discover(services);
  if (await anyUser(services.store)) return false;
  const make = await firstUser(services, given, show);
  return services.store.write(async (tx) => {
    // Another start at the same time was faster.
    if (await anyUser(tx)) return false;
    await make(tx);
    return true;
  });
}

/** What makes the user within a transaction, after the slow hash of the password. @throws StartFault */
export async function firstUser(
  services: Services,
  given: string | null,
  show: (password: string) => void,
): Promise<(tx: Transaction) => Promise<void>> {
  const fault = given === null ? null : await passwordFault(given, ADMIN);
  if (fault !== null) throw new StartFault(`GROUNDCREW_ADMIN_PASSWORD can’t be the password of ${ADMIN}: ${fault}`);
  const password = given ?? services.entropy.bytes(15).toString('base64url');
  const password_hash = await hashPassword(password);
  return async (tx) => {
    const user = await createUser(tx, services, { name: ADMIN, role: 'admin', password_hash });
    const detail = { name: ADMIN, role: 'admin', first_start: true };
    const event = { action: 'user.create', resource_type: 'user', resource_id: user.id, detail };
    await appendAudit(tx, services.keys, context(services), event, { holdsLock: true });
    if (given === null) show(password);
  };
}

/** A discovery that fails must not keep the appliance from starting: it is where the operator would look. */
export async function discover(services: Services): Promise<void> {
  try {
    const links = await services.host.links();
    await services.store.write(async (tx) => {
      const found = await refreshInterfaces(tx, services, links);
      if (found.changed === 0) return;
      await appendAudit(
        tx,
        services.keys,
        context(services),
        { action: 'network.interface.refresh', resource_type: 'interface', resource_id: null, detail: { ...found } },
        { holdsLock: true },
      );
    });
  } catch (error) {
    services.logger.warn('interfaces could not be discovered', { failure: { message: (error as Error).message } });
  }
}

function context(services: Services) {
  return { at: instant(services.clock.now()), actor: systemActor('start'), request_id: 'start', source_address: '' };
}
