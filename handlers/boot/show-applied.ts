// Which applied state the boot listener serves, for the appliance's own probe.
import { APPLIED_PATH } from '../../shared/network-boot/paths.ts';
import { askedOf } from '../../shared/network-boot/requests.ts';
import { defineOperation } from '../../shared/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'showAppliedBootState',
  method: 'GET',
  path: APPLIED_PATH,
  plane: 'boot',
  access: 'public',
  effect: 'read',
  tag: 'Boot',
  summary: 'Applied state of network boot',
  description: 'SHA-256 of the manifest that is served, hexadecimal. It tells nothing but whether it is another one.',
  answers: { 200: { description: 'The digest.' } },
  async run({ services, request }) {
    const { applied } = await askedOf(services, request);
    return { text: `${applied.digest}\n` };
  },
});
