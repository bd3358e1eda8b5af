// Users or groups of an organisation as a file, from its page.
import * as v from 'valibot';
import { csvHeaders } from '../../shared/ground/csv.ts';
import { pageRoute } from '../../shared/ground/page-paths.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { findItem } from '../../shared/platform/units/collection-store.ts';
import { organizations } from '../../shared/services/ldap/organizations.ts';
import { KINDS } from '../../shared/services/ldap/transfer/columns.ts';
import { exportParts } from '../../shared/services/ldap/transfer/export.ts';

export const operation = defineOperation({
  id: 'downloadLdapEntries',
  method: 'GET',
  path: `${pageRoute('ldap-organization')}/entries.csv`,
  plane: 'management',
  access: { session: 'read:ldap' },
  tag: 'Pages',
  summary: 'Users or groups of an organization as CSV',
  description: 'All saved ones by name, in the form that an import reads, without passwords.',
  params: idParam('organization_id', 'Id of the organization.'),
  query: v.strictObject({ kind: v.optional(v.picklist(KINDS), 'users') }),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  problems: ['resource_not_found'],
  async run({ db, params, query }) {
    const { id, slug } = await findItem(db, organizations, params.organization_id);
    return { parts: exportParts(db, id, query.kind), headers: csvHeaders(`${slug}-${query.kind}`) };
  },
});
