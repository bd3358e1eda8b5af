// The leases of the list as a CSV file.
import type { ListWords } from '../../../shared/ground/list-words.ts';
import { pagePath } from '../../../shared/ground/page-paths.ts';
import { listLeases } from '../../../shared/services/dns-dhcp/dhcp/lease-list.ts';
import { rowsFile } from '../../forms/row-list.ts';

const LEASES_LIST: ListWords = { component: 'DhcpLeases', noun: 'lease', nouns: 'leases', verbs: [] };

export const operation = rowsFile({
  words: LEASES_LIST,
  path: `${pagePath('dhcp')}/leases`,
  scope: 'read:dhcp',
  by: ['search'],
  head: ['ip_address', 'address_family', 'mac_address', 'client_id', 'hostname', 'expires_at', 'reserved'],
  async rows({ db, services, query: { search } }, page) {
    const { items, next_cursor } = await listLeases(db, services, { search, ...page });
    return {
      next_cursor,
      items: items.map((lease) => [
        lease.ip_address,
        lease.address_family,
        lease.mac_address,
        lease.client_id,
        lease.hostname,
        lease.expires_at,
        lease.reserved,
      ]),
    };
  },
});
