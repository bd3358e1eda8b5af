// The configuration of pxelinux for an authorized attempt, whose machine has a BIOS.
import { PXELINUX_CONFIG } from '../../shared/network-boot/boot-config.ts';
import { attemptOfClaim, bootConfigOf } from '../../shared/network-boot/poll.ts';
import { askedOf, CLAIM_PARAMS, refusedToMachine } from '../../shared/network-boot/requests.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'getPxelinuxConfig',
  method: 'GET',
  path: '/boot/attempts/{claim}/pxelinux.cfg',
  plane: 'boot',
  access: 'public',
  effect: 'read',
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
