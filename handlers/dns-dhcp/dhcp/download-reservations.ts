// All reservations as a CSV file.
import { csv } from '../../../shared/ground/csv.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { searchReservations } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import type { DhcpReservation } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';

const HEAD = ['hostname', 'mac_address', 'ip_address', 'description', 'register_dns', 'enabled', 'updated_at'];
/** More than a person reads; a program pages through the API. */
const MOST_ROWS = 10_000;

const cells = (item: DhcpReservation) => [
  item.hostname,
  item.mac_address,
  item.ip_address,
  item.description,
  item.register_dns,
  item.enabled,
  item.updated_at,
];

export const operation = defineOperation({
  id: 'downloadDhcpReservations',
  method: 'GET',
  path: `${pagePath('dhcp-reservations')}.csv`,
  plane: 'management',
  access: { session: 'read:dhcp' },
  tag: 'Pages',
  summary: 'Reservations as CSV',
  description: `Reservations by host name, for a spreadsheet: the first ${MOST_ROWS}.`,
  answers: { 200: { description: 'The file (RFC 4180).' } },
  async run({ db }) {
    const { items } = await searchReservations(db, { search: '', limit: MOST_ROWS });
    return {
      html: csv([HEAD, ...items.map(cells)]),
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': 'attachment; filename="reservations.csv"',
      },
    };
  },
});
