// The console of an attempt asks every few seconds and gets the code again, the next step, or why the attempt ended.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { attemptOfClaim, pollScript } from '../../shared/services/network-boot/boot/poll.ts';
import { askedOf, CLAIM_PARAMS, refusedToMachine } from '../../shared/services/network-boot/boot/requests.ts';
import { POLL_FILE } from '../../shared/services/network-boot/paths.ts';

export const operation = defineOperation({
  id: 'pollBootAttempt',
  method: 'GET',
  path: `/boot/attempts/{claim}/${POLL_FILE}`,
  plane: 'boot',
  access: 'public',
  tag: 'Boot',
  summary: 'State of a boot attempt',
  description: 'An iPXE script for whoever started the attempt; asking changes nothing.',
  params: CLAIM_PARAMS,
  answers: { 200: { description: 'An iPXE script.' } },
  async run({ services, db, request, params: { claim } }) {
    const { applied, origin } = await askedOf(services, request);
    const attempt = await attemptOfClaim(db, claim, origin);
    if (!attempt) throw refusedToMachine();
    return { text: await pollScript(db, services, { attempt, claim, applied }) };
  },
});
