// Opens an archive and says how it differs from what is saved now.
import { ARCHIVES_PATH, ARCHIVES_TAG } from '../../shared/appliance/archive/kept.ts';
import { archiveInspectSchema, archiveParam, inspectedSchema } from '../../shared/appliance/archive/schemas.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'inspectArchive',
  method: 'POST',
  path: `${ARCHIVES_PATH}/{archive_id}/inspect`,
  access: { scope: 'write:archives' },
  effect: 'answers-only',
  tag: ARCHIVES_TAG,
  summary: 'Open an archive and compare it',
  description:
    'Answers how the archive differs from what is saved now, unit by unit, and changes nothing. Every digest in it is checked. Secrets are compared and never shown. A plain JSON file of schema 2 is read as well, at most 16 MiB of it: what has no place here is in `unplaced`. It needs the scope of a restore: whoever compares learns what is saved.',
  params: archiveParam,
  body: archiveInspectSchema,
  answers: { 200: { description: 'The archive, and what differs.', schema: inspectedSchema } },
  problems: ['resource_not_found', 'state_conflict', 'vault_keys_unusable'],
  audit: 'none',
  async run({ services, params, body }) {
    const { inspect, openKept } = await import('../../shared/appliance/archive/compared.ts');
    const opened = await openKept(services, params.archive_id, body);
    try {
      return { body: await inspect(services, opened) };
    } finally {
      await opened.close();
    }
  },
});
