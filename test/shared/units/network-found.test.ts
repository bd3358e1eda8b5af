// The way back from the first apply of the network: lines for `ip -batch`.
import { expect, test } from '@jest/globals';
import { linesBack } from '../../../shared/units/network/found.ts';

const links = (...addresses: string[]) => ({ links: [{ name: 'eth0', up: true, mtu: 1500, addresses }], routes: [] });
const back = (was: string[], is: string[]) => linesBack(links(...was), links(...is), new Set(['eth0']));

test('an IPv4 address that got a broadcast address or lost its label is made anew: the kernel changes neither', () => {
  expect(back(['192.0.2.5/24 scope global'], ['192.0.2.5/24 brd 192.0.2.255 scope global'])).toEqual([
    'addr del 192.0.2.5/24 dev eth0',
    'addr replace 192.0.2.5/24 scope global dev eth0',
  ]);
  const labelled = '192.0.2.5/24 brd 192.0.2.255 scope global label eth0:1';
  expect(back([labelled], ['192.0.2.5/24 brd 192.0.2.255 scope global'])[0]).toBe('addr del 192.0.2.5/24 dev eth0');
});

test('what is as it was needs nothing; what is missing is only added', () => {
  expect(back(['192.0.2.5/24 scope global'], ['192.0.2.5/24 scope global'])).toEqual([]);
  expect(back(['2001:db8::5/64 scope global'], [])).toEqual([
    'addr replace 2001:db8::5/64 scope global dev eth0 nodad',
  ]);
});
