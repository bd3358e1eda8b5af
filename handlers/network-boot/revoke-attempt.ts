// Revokes a boot attempt.

import { notFound, Problem } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { isOpen, standing } from '../../shared/services/network-boot/boot/attempt.ts';
import { endAttempt, findAttempt } from '../../shared/services/network-boot/boot/attempt-store.ts';
import { now } from '../../shared/services/network-boot/boot/context.ts';
import { attemptEvent } from '../../shared/services/network-boot/boot/retrieve.ts';
import { attemptSchema, attemptView } from '../../shared/services/network-boot/boot/schemas.ts';

export const operation = defineOperation({
  id: 'revokeBootAttempt',
  method: 'POST',
  path: '/api/v1/network-boot/attempts/{attempt_id}/revoke',
  access: { scope: 'write:pxe' },
  effect: 'immediate',
  tag: 'Network boot',
  summary: 'Revoke a boot attempt',
  description:
    'Changes application state immediately: a pending or issued attempt is burnt, and its Kickstart can no longer be had with it. One that has ended answers 409. An apply that runs does not stop it.',
  params: idParam('attempt_id', 'Id of the attempt.'),
  answers: { 200: { description: 'The attempt, which is over now.', schema: attemptSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  audit: ['network-boot.attempt.revoke'],
  guarded: false,
  async run({ services, tx, params, audit, afterCommit }) {
    const moment = now(services);
    const attempt = await findAttempt(tx, 'id', params.attempt_id);
    if (!attempt) throw notFound('This boot attempt');
    const state = standing(attempt, moment);
    if (!isOpen(state) || !(await endAttempt(tx, attempt.id, 'revoked', moment.at))) {
      throw new Problem('state_conflict', `This boot attempt has ended already: it is ${state}.`);
    }
    audit(attemptEvent('revoke', attempt, { was: state }));
    afterCommit(() => services.notify('pending'));
    return { body: attemptView((await findAttempt(tx, 'id', attempt.id))!, moment) };
  },
});
