// All interfaces and VLANs as a CSV file.

import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';
import { loadInterfaces } from '../../shared/platform/interfaces/interface.ts';
import { interfacesCsv } from '../../shared/platform/interfaces/interface-csv.ts';

export const operation = defineOperation({
  id: 'downloadInterfaces',
  method: 'GET',
  path: `${pagePath('interfaces')}.csv`,
  plane: 'management',
  access: { session: 'read:interfaces' },
  tag: 'Pages',
  summary: 'Interfaces as CSV',
  description: 'Every interface and VLAN with its saved and observed addresses, for a spreadsheet.',
  answers: { 200: { description: 'The file (RFC 4180).' } },
  async run({ db }) {
    return {
      html: interfacesCsv(await loadInterfaces(db)),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="interfaces.csv"',
      },
    };
  },
});
