// The configuration of pxelinux for an authorized attempt, whose machine has a BIOS.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { PXELINUX_CONFIG } from '../../shared/services/network-boot/boot/boot-config.ts';
import { attemptOfClaim, bootConfigOf } from '../../shared/services/network-boot/boot/poll.ts';
import { askedOf, CLAIM_PARAMS, refusedToMachine } from '../../shared/services/network-boot/boot/requests.ts';

export const operation = defineOperation({
  id: 'getPxelinuxConfig',
  method: 'GET',
  path: '/boot/attempts/{claim}/pxelinux.cfg',
  plane: 'boot',
  access: 'public',
  tag: 'Boot',
  summary: 'Configuration of pxelinux for a boot attempt',
  description: 'Starts the loader beside it with the boot.cfg beside it. Only while the attempt is authorized.',
  params: CLAIM_PARAMS,
  answers: { 200: { description: 'A configuration of pxelinux.' } },
  async run({ services, db, request, params: { claim } }) {
    const { applied, origin } = await askedOf(services, request);
    const attempt = await attemptOfClaim(db, claim, origin);
    if (!attempt || bootConfigOf(services, attempt, applied) === null) throw refusedToMachine();
    return { text: PXELINUX_CONFIG };
  },
});
