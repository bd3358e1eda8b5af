// Factory reset over the API: everything that was saved goes, after the name of the appliance and the own password.

import { ARCHIVES_TAG } from '../../shared/appliance/archive/kept.ts';
import type { Reset } from '../../shared/appliance/archive/reset.ts';
import { type FactoryReset, factoryResetSchema, restoredSchema } from '../../shared/appliance/archive/schemas.ts';
import { instant } from '../../shared/ground/clock.ts';
import { invalid } from '../../shared/ground/problems.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { SCOPES } from '../../shared/kernel/access/scopes.ts';
import { findUser } from '../../shared/kernel/access/user.ts';
import { confirmPassword } from '../../shared/kernel/operation/confirm-password.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

export const operation = defineOperation({
  id: 'factoryReset',
  method: 'POST',
  path: '/api/v1/factory-reset',
  access: { scope: 'write:archives' },
  effect: 'desired-state',
  tag: ARCHIVES_TAG,
  summary: 'Reset the appliance to its first start',
  description:
    'Saves the state of a new appliance, all of it or nothing: every interface but those over which the management UI is reached, every service with its settings, vaults, the certificate authority with its keys, users of the depot and media, jobs, plans, sessions and API tokens go, and every account but the caller’s own. The host follows at the next reviewed apply, whose plan shows what it takes away. What stays: the audit log with the reset as its newest event, the keys files, archives and snapshots in the data folder, files of the depot and data on datastores; keys of the KMIP server with their providers, clients and what is remembered of removed ones; files of installer media are removed within hours. A copy of the database is kept before, with all that the reset takes away: delete it with the snapshots when the machine leaves your hands. It needs every write scope and the own password, wrong guesses of which are slowed like a sign-in. Refused while a job has not ended. While it runs, other changes are refused with 423. A dry run asks for no password and says what would go.',
  body: factoryResetSchema,
  answers: { 200: { description: 'What went.', schema: restoredSchema } },
  problems: ['state_conflict', 'too_many_attempts'],
  audit: ['appliance.reset'],
  ownsAll: true,
  async prepare({ services, actor, request, body: { confirm, own_password } }): Promise<string | null> {
    refuseHalf(actor);
    refuseOther(services, confirm);
    if (request.dry_run) return null;
    const { name } = await findUser(services.store, actor.user_id!);
    const who = { at: instant(request.now), actor, request_id: request.id, source_address: request.source_address };
    await confirmPassword(services, who, own_password ?? '', {
      event: { action: 'appliance.reset', resource_type: 'appliance', resource_id: null },
      pointer: '/own_password',
      user_name: name,
    });
    return copyOf(services);
  },
  async run({ tx, services, actor, audit, prepared, afterCommit }) {
    const snapshot = prepared as string | null;
    const [{ reset, resetEvent }, { unitsOf }] = await Promise.all([
      import('../../shared/appliance/archive/reset.ts'),
      import('../../shared/appliance/archive/compared.ts'),
    ]);
    const done: Reset = await reset(tx, services, actor, actor.user_id);
    audit(resetEvent(done, snapshot, services.settings.hostname));
    const { forgetHistory } = await import('../../shared/appliance/metrics/history-file.ts');
    const { lookAtAllAgain } = await import('../../shared/appliance/apply/look-again.ts');
    afterCommit(() => lookAtAllAgain(services.host));
    afterCommit(() => void forgetHistory(services).catch(() => undefined));
    return { body: { snapshot, units: unitsOf(done.differences), followed: done.followed, lets_in: [] } };
  },
});

/** @throws Problem 422 at the member */
export function refuseOther({ settings }: Pick<Services, 'settings'>, confirm: FactoryReset['confirm']): void {
  if (confirm === settings.hostname) return;
  throw invalid({ pointer: '/confirm', detail: `Type the name of this appliance: ${settings.hostname}.` });
}

/** A copy is made only once nothing is in the way. @throws Problem 409, 507 */
export async function copyOf(services: Services): Promise<string> {
  const { copyBefore, refuseWhileBusy } = await import('../../shared/appliance/archive/reset.ts');
  await refuseWhileBusy(services.store);
  return (await copyBefore(services)).name;
}

/** @throws Problem 403: whoever takes everything away may write everything */
function refuseHalf(actor: Actor): void {
  const lacking = SCOPES.find((scope) => scope.startsWith('write:') && !actor.scopes.has(scope));
  if (lacking) throw missingScope(actor, lacking, 'A factory reset takes everything away.');
}
