// What counts as one source: an address of IPv4, a network of IPv6.
import { expect, test } from '@jest/globals';
import { siteNetwork, sourceNetwork } from '../../../../shared/ground/addresses/source.ts';

test.each([
  ['10.1.2.3', '10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3', '10.1.2.3'],
  ['fd00:10:0:1:2:3:4:5', 'fd00:10:0:1::/64', 'fd00:10::/48'],
  ['fd00:10:0:1::/64', 'fd00:10:0:1::/64', 'fd00:10::/48'],
  ['fe80::1%ens192', 'fe80::/64', 'fe80::/48'],
  ['', '', ''],
])('%j counts as %s, in the site %s', (address, network, site) => {
  expect([sourceNetwork(address), siteNetwork(address)]).toEqual([network, site]);
});
