// What clients of a DHCP scope are told: values that follow the appliance, those that are none, and those that are named.
import { expect, test } from '@jest/globals';
import { handedOut } from '../../../../../shared/platform/interfaces/refresh/handed-out.ts';
import { NO_GATEWAY, NO_SERVER, type ScopeRow } from '../../../../../shared/platform/interfaces/refresh/snapshot.ts';
import { scope } from './rows.ts';

const FOLLOWS = { gateway: '', dns_servers: [], ntp_servers: [] };
const BOTH = { dns: ['ens20'], ntp: ['ens20'] };
const told = (fields: Partial<ScopeRow>, own: string | null = '10.0.0.1', listening = BOTH) => {
  const { gateway, dns_servers, ntp_servers } = handedOut(scope({ ...FOLLOWS, ...fields }), own, listening);
  return [gateway, dns_servers.join(), ntp_servers.join()];
};

test.each<[string, string[], string[]]>([
  ['empty values follow the appliance', told({}), ['10.0.0.1', '10.0.0.1', '10.0.0.1']],
  [
    'servers only where the service listens',
    told({}, '10.0.0.1', { dns: ['ens20'], ntp: [] }),
    ['10.0.0.1', '10.0.0.1', ''],
  ],
  ['a gateway only inside of the subnet', told({}, '10.7.0.1'), ['', '10.7.0.1', '10.7.0.1']],
  ['nothing without an address', told({}, null), ['', '', '']],
  [
    'none is none',
    told({ gateway: NO_GATEWAY, dns_servers: [NO_SERVER], ntp_servers: [NO_SERVER] }),
    [NO_GATEWAY, '', ''],
  ],
  [
    'what is named is told as it is',
    told({ gateway: '10.0.0.254', dns_servers: ['8.8.8.8', '9.9.9.9'], ntp_servers: ['10.0.0.1'] }),
    ['10.0.0.254', '8.8.8.8,9.9.9.9', '10.0.0.1'],
  ],
])('%s', (_name, found, expected) => expect(found).toEqual(expected));
