// Looks at a Kickstart text without saving it.
import * as v from 'valibot';
import { component } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { validationSchema } from '../../shared/services/network-boot/boot/schemas.ts';
import { usesOf } from '../../shared/services/network-boot/kickstart-text.ts';
import { KICKSTART_LIMIT, kickstartTextMember } from '../../shared/services/network-boot/kickstarts.ts';
import { canonicalText, textRevision } from '../../shared/services/network-boot/revision.ts';
import { faultsOfText } from '../../shared/services/network-boot/typed-text.ts';

export const operation = defineOperation({
  id: 'validateKickstart',
  method: 'POST',
  path: '/api/v1/network-boot/kickstarts/validate',
  access: { scope: 'write:pxe' },
  effect: 'answers-only',
  tag: 'Network boot',
  summary: 'Validate a Kickstart text',
  description:
    'The text is checked and discarded. Faults name their line and never quote it. Commands that are not known are warnings: a later installer may know them.',
  bodyLimit: KICKSTART_LIMIT,
  body: component('KickstartText', v.strictObject({ text: kickstartTextMember }), {
    text: 'vmaccepteula\nrootpw {{ var.root_password }}\ninstall --firstdisk --overwritevmfs\nreboot\n',
  }),
  answers: { 200: { description: 'Faults by line, and what the text asks of a host.', schema: validationSchema } },
  audit: 'none',
  guarded: false,
  async run({ services, actor, body }) {
    const text = canonicalText(body.text);
    const faults = await faultsOfText(services.store, actor, text);
    const valid = !faults.some(({ severity }) => severity === 'error');
    const uses = valid ? usesOf(text) : { host_fields: [], variables: [], vault_values: [] };
    return { body: { valid, faults, text_revision: textRevision(text), ...uses } };
  },
});
