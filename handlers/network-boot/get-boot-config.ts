// boot.cfg of an authorized attempt. Loaders read it more than once, so nothing is consumed by it.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { attemptOfClaim, bootConfigOf } from '../../shared/services/network-boot/boot/poll.ts';
import { askedOf, CLAIM_PARAMS, refusedToMachine } from '../../shared/services/network-boot/boot/requests.ts';
import { BOOT_CONFIG_FILE } from '../../shared/services/network-boot/paths.ts';

export const operation = defineOperation({
  id: 'getBootConfig',
  method: 'GET',
  path: `/boot/attempts/{claim}/${BOOT_CONFIG_FILE}`,
  plane: 'boot',
  access: 'public',
  tag: 'Boot',
  summary: 'boot.cfg of a boot attempt',
  description: 'What the medium ships, with the addresses of this attempt. Only while the attempt is authorized.',
  params: CLAIM_PARAMS,
  answers: { 200: { description: 'A boot.cfg.' } },
  async run({ services, db, request, params: { claim } }) {
    const { applied, origin } = await askedOf(services, request);
    const attempt = await attemptOfClaim(db, claim, origin);
    const text = attempt && bootConfigOf(services, attempt, applied);
    if (!text) throw refusedToMachine();
    return { text };
  },
});
