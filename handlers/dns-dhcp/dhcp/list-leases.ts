// Lists the DHCP leases that are in force.
import * as v from 'valibot';
import { PAGE_QUERY, pageLimit } from '../../../shared/ground/schemas/component.ts';
import { defineOperation } from '../../../shared/kernel/operation/define-operation.ts';
import { leaseListSchema, listLeases } from '../../../shared/services/dns-dhcp/dhcp/lease-list.ts';
import { addressFamily } from '../../../shared/services/dns-dhcp/dhcp/members.ts';

const text = (description: string) => v.optional(v.pipe(v.string(), v.maxLength(255), v.description(description)));

export const operation = defineOperation({
  id: 'listDhcpLeases',
  method: 'GET',
  path: '/api/v1/dhcp/leases',
  access: { scope: 'read:dhcp' },
  tag: 'DHCP',
  summary: 'List DHCP leases',
  description:
    'What the running service has given out, by address and IPv4 first, read from its own file at each request; leases that have expired are left out. Empty while DHCP was never applied, and in a rehearsal, where no service runs. A lease ends before its time when its reservation is applied as gone or as another machine’s, or when no applied scope gives out its address any more.',
  query: v.strictObject({
    ...PAGE_QUERY,
    address_family: v.optional(addressFamily('Only leases of the family.')),
    ip_address: text('Only the lease of this address, in any spelling.'),
    mac_address: text('Only leases of this network card, in any spelling. Leases over IPv6 have none.'),
    hostname: text('Only leases of exactly this name, without domain and in any case.'),
    reserved: v.optional(
      v.pipe(v.picklist(['true', 'false']), v.description('Only leases of addresses that are, or are not, reserved.')),
    ),
  }),
  answers: { 200: { description: 'A page of the leases; `next_cursor` leads to the next.', schema: leaseListSchema } },
  problems: ['invalid_cursor'],
  async run({ db, services, query }) {
    const reserved = query.reserved === undefined ? undefined : query.reserved === 'true';
    const { total: _total, ...page } = await listLeases(db, services, {
      ...query,
      reserved,
      limit: pageLimit(query.limit),
    });
    return { body: page };
  },
});
