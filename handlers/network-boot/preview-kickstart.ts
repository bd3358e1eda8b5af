// A Kickstart as it may be shown.
import * as v from 'valibot';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { previewSchema } from '../../shared/services/network-boot/boot/schemas.ts';
import { loadPreview } from '../../shared/services/network-boot/load-preview.ts';

export const operation = defineOperation({
  id: 'previewKickstart',
  method: 'GET',
  path: '/api/v1/network-boot/kickstarts/{kickstart_id}/preview',
  access: { scope: 'read:pxe' },
  tag: 'Network boot',
  summary: 'Preview a Kickstart, redacted',
  description:
    'Its structure line by line. Only words of shapes that are known to be harmless are shown: commands, and options such as addresses and disks. Passwords, keys, comments, scripts and the values of variables are hidden, and so is every other word.',
  params: idParam('kickstart_id', 'Id of the Kickstart.'),
  query: v.strictObject({
    host_id: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(64),
        v.description('Fills in the fields of this host, where the text names them.'),
      ),
    ),
  }),
  answers: { 200: { description: 'The text line by line, as the host would get it.', schema: previewSchema } },
  problems: ['resource_not_found', 'state_conflict'],
  async run({ services, db, params, query }) {
    return { body: await loadPreview(db, services.keys, params.kickstart_id, query.host_id) };
  },
});
