// Reservations as a CSV file: those that the list shows, in its order.
import * as v from 'valibot';
import { csvHeaders, csvParts } from '../../../shared/ground/csv.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { allPages } from '../../../shared/ground/store/pagination.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { filePage } from '../../../shared/platform/units/collection-csv.ts';
import { searchReservations } from '../../../shared/services/dns-dhcp/dhcp/page-lists.ts';
import { type DhcpReservation, dhcpReservations } from '../../../shared/services/dns-dhcp/dhcp/reservations.ts';
import { fileState, inState } from '../../forms/file-state.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(255)), '');

const HEAD = ['hostname', 'mac_address', 'ip_address', 'description', 'register_dns', 'enabled', 'updated_at'];

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
  description:
    'Those that the list shows by its search, state and order, on all of its pages, for a spreadsheet. They are read as they are sent.',
  query: v.strictObject({ search: text, state: fileState, sort: text }),
  answers: { 200: { description: 'The file (RFC 4180).' } },
  async run({ db, services, query: { search, state, sort } }) {
    const all = allPages((page) => searchReservations(db, { search, sort, ...page }), filePage(dhcpReservations, sort));
    const found = await inState(services, 'reservation', state, all);
    return { parts: csvParts(HEAD, found, cells), headers: csvHeaders('reservations') };
  },
});
