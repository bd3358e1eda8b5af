// Where people of the directory change their own passwords: on the public pages, once that is switched on, at an interface where
// the directory is in force.
import { Problem } from '../../ground/problems.ts';
import type { Connection } from '../../kernel/operation/event.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { AppliedEntries } from '../../services/ldap/entries.ts';
import { directoryApplied } from '../../services/ldap/own-password.ts';
import { calledAt } from './called-at.ts';
import { offeredAt } from './public-services.ts';
import { requireOffered } from './public-settings.ts';

/** The applied entries. What is not offered is not there at all. @throws Problem 404 */
export async function requireOwnPasswords(services: Services, connection: Connection | null): Promise<AppliedEntries> {
  await requireOffered(services.store, 'directory_passwords');
  const offered = await offeredAt(services, await calledAt(services, connection));
  const applied = offered.some(({ service }) => service === 'directory') ? await directoryApplied(services.host) : null;
  if (applied === null) throw new Problem('route_not_found', 'Nothing answers at this path.');
  return applied;
}
