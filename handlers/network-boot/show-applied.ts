// Tells the appliance's own probe which applied state the boot listener serves.

import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { askedOf } from '../../shared/services/network-boot/boot/requests.ts';
import { APPLIED_PATH } from '../../shared/services/network-boot/paths.ts';

export const operation = defineOperation({
  id: 'showAppliedBootState',
  method: 'GET',
  path: APPLIED_PATH,
  plane: 'boot',
  access: 'public',
  tag: 'Boot',
  summary: 'Applied state of network boot',
  description: 'SHA-256 of the manifest that is served, hexadecimal. It tells nothing but whether it is another one.',
  answers: { 200: { description: 'The digest.' } },
  async run({ services, request }) {
    const { applied } = await askedOf(services, request);
    return { text: `${applied.digest}\n` };
  },
});
