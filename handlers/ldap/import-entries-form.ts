// The form that takes a file of users or groups, pasted or chosen. Passwords that were made are on the next page, once.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { rowsImported } from '../../shared/platform/units/import-answer.ts';
import type { RowsImported } from '../../shared/platform/units/import-schemas.ts';
import { importFormSchema } from '../../shared/services/ldap/transfer/schemas.ts';
import { FORM_BYTES, IMPORT_FORM, importFields, savedWords } from '../forms/import-form.ts';
import { importedEntries, operation as importLdapEntries } from './import-entries.ts';

export const operation = defineForm(
  {
    of: importLdapEntries,
    path: `${pageRoute('ldap-organization')}/import`,
    bodyLimit: FORM_BYTES,
    problems: ['resource_not_found', 'state_conflict'],
    body: importFormSchema,
    // biome-ignore lint/suspicious/noExplicitAny: as the operation itself is declared.
    async run(context: any) {
      const { csv, mode, previewed } = context.body;
      const { dry_run } = context.request;
      const done = await importedEntries(context, { mode, previewed, shows_faults: dry_run });
      const body = { ...rowsImported(done.rows, done.previewed, dry_run), csv, passwords: done.passwords };
      return { body, ...(done.unchanged && { unchanged: true as const }) };
    },
  },
  {
    ...IMPORT_FORM,
    decode: (fields) => ({
      ...importFields(fields),
      kind: fields.text('kind'),
      passwords: fields.checked('passwords') ? 'each' : 'none',
    }),
    done: ({ body }, fields, params) => ({
      location: pagePath('ldap-organization', params.organization_id!),
      flash: savedWords(body as RowsImported, fields.text('kind').replace(/s$/, ''), fields.text('kind')),
    }),
    shows: ({ body }) => (body as { passwords: unknown[] }).passwords.length > 0,
  },
);
