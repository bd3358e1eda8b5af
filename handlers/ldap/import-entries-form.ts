// The form that takes a file of users or groups, pasted or chosen. Its page says what became of it, passwords once.
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { operation as importLdapEntries } from './import-entries.ts';

export const operation = defineForm(
  { of: importLdapEntries, path: `${pageRoute('ldap-organization')}/import`, bodyLimit: 2 << 20 },
  {
    decode: (fields) => ({
      kind: fields.text('kind'),
      csv: fields.values.get('csv') ?? '',
      passwords: fields.checked('passwords') ? 'each' : 'none',
    }),
    done: () => ({ location: pageRoute('ldap-organizations') }),
    shows: true,
  },
);
