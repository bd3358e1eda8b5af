// Authorizes one boot of a host by the code on its console.

import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import {
  authorizationAnswer,
  authorizationEvents,
} from '../../shared/services/network-boot/boot/authorization-answer.ts';
import { authorizeOnce } from '../../shared/services/network-boot/boot/authorize.ts';
import { appliedNow } from '../../shared/services/network-boot/boot/retrieve.ts';
import { authorizationSchema, authorizeSchema } from '../../shared/services/network-boot/boot/schemas.ts';
import { STARTS_MOST } from '../../shared/services/network-boot/boot/start.ts';

export const operation = defineOperation({
  id: 'authorizeBootOnce',
  method: 'POST',
  path: '/api/v1/network-boot/esxi-hosts/{host_id}/authorize-boot-once',
  access: { scope: 'write:pxe' },
  effect: 'immediate',
  tag: 'Network boot',
  summary: 'Authorize one boot of an ESXi host',
  description: `Changes application state immediately; desired state stays as it is. First start network boot on the host and choose its entry on the console, which then shows a code for ten minutes. The authorization lasts ten minutes, too, and is consumed by the first matching retrieval of the Kickstart. It is bound to the applied host, to the full applied revision of its Kickstart, to the applied HTTP listener and to this attempt. Wrong codes are counted, and so is a string that can not be a code at all; the fifth ends the attempt, and the host can start a new one, at most ${STARTS_MOST} within ten minutes; a new choice takes the place of the one before. A refusal because the saved host differs from the applied one costs no try. Once authorized, the boot outlives later edits of the host and its Kickstart, but not an apply that changes what the host would install or where the listener is, nor a clock that is set or a restart of the appliance.`,
  params: idParam('host_id', 'Id of the ESXi host.'),
  body: authorizeSchema,
  answers: {
    202: { description: 'The authorization, how long it holds, and what happens next.', schema: authorizationSchema },
  },
  problems: ['resource_not_found', 'boot_code_refused', 'host_drifted', 'applied_state_unavailable'],
  audit: ['network-boot.attempt.authorize', 'network-boot.attempt.wrong-code', 'network-boot.attempt.burn'],
  async run({ services, tx, actor, params: { host_id }, body: { boot_code }, audit, afterCommit }) {
    const applied = await appliedNow(services);
    const done = await authorizeOnce(tx, services, { host_id, boot_code, applied, by: actor.name });
    for (const event of authorizationEvents(done)) audit(event);
    afterCommit(() => services.notify('pending'));
    return done.refuse ? { refuse: done.refuse } : { status: 202, body: authorizationAnswer(done.issued) };
  },
});
