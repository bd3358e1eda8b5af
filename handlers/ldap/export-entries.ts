// Users or groups of an organisation as a file.
import * as v from 'valibot';
import { csvHeaders } from '../../shared/ground/csv.ts';
import { described, idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { KINDS } from '../../shared/services/ldap/transfer/columns.ts';
import { exportCsv } from '../../shared/services/ldap/transfer/export.ts';

export const operation = defineOperation({
  id: 'exportLdapEntries',
  method: 'GET',
  path: '/api/v1/ldap/organizations/{organization_id}/export',
  access: { scope: 'read:ldap' },
  tag: 'LDAP',
  summary: 'Export users or groups',
  description:
    'All saved ones by name as CSV (RFC 4180), in the form that an import reads. No password and no hash is among them. A text that a spreadsheet would take for a formula has an apostrophe before it, which an import takes away again.',
  params: idParam('organization_id', 'Id of the organization.'),
  query: v.strictObject({ kind: described(v.picklist(KINDS), 'users or groups.') }),
  answers: {
    200: { description: 'The users or groups as CSV, one a line below the names of the columns.', media: 'text/csv' },
  },
  problems: ['resource_not_found'],
  async run({ db, params, query }) {
    const { id, slug } = await findItem(db, organizations, params.organization_id);
    return { text: await exportCsv(db, id, query.kind), headers: csvHeaders(`${slug}-${query.kind}`) };
  },
});
