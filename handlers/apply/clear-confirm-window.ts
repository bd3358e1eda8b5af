// Clears the damaged record of a confirm window.
import { enforcementOf } from '../../shared/appliance/apply/enforcement-of.ts';
import { planWithWindow, readJournal, unitsReached } from '../../shared/appliance/apply/plan-store.ts';
import { freeForConfirming } from '../../shared/appliance/apply/window/confirm-reserve.ts';
import type { WindowRecord } from '../../shared/appliance/apply/window/record.ts';
import { clearedWindow, windowClear } from '../../shared/appliance/apply/window/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

interface Cleared {
  plan_id: string | null;
  record: WindowRecord | null;
}

export const operation = defineOperation({
  id: 'clearConfirmWindow',
  method: 'POST',
  path: '/api/v1/apply/window/clear',
  access: { scope: 'write:apply' },
  effect: 'immediate',
  // The apply that holds the lock may be the one that waits for this record.
  guarded: false,
  tag: 'Apply',
  summary: 'Clear a damaged confirm window',
  description:
    'Sets a confirm window’s unreadable record aside, and writes the reason to the audit log. If a plan waits in the window, the files that were kept are put back and its apply ends; units of which nothing was kept are named. If the record can be read, the answer is a conflict: confirm its plan or put it back. Changes application state immediately.',
  body: windowClear,
  answers: { 200: { description: 'The record is set aside; what was rolled back with it.', schema: clearedWindow } },
  problems: ['state_conflict'],
  audit: ['window.clear'],
  preparesHost: true,
  // Before the transaction: putting back takes as long as the services take.
  async prepare({ services, actor }): Promise<Cleared> {
    const plan_id = await planWithWindow(services.store);
    const reached = plan_id === null ? [] : unitsReached(await readJournal(services.store, plan_id));
    const record = await enforcementOf(services).window.clear(
      plan_id === null ? null : { plan_id, reached },
      actor.name,
    );
    await freeForConfirming(services);
    return { plan_id: record?.plan_id ?? plan_id, record };
  },
  async run({ services, body, prepared, audit, afterCommit }) {
    const { plan_id, record } = prepared as Cleared;
    const { said = [], unrestored = [] } = record?.ended ?? {};
    const detail = { reason: body.reason, plan_id, said, unrestored };
    audit({ action: 'window.clear', resource_type: 'plan', resource_id: plan_id, detail });
    afterCommit(() => services.notify('jobs'));
    return { body: { plan_id, said, unrestored } };
  },
});
