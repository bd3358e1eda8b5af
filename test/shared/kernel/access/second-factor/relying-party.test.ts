// Under which name passkeys work: one of the appliance's own, whatever Host says.
import { expect, test } from '@jest/globals';
import { partyAt, relyingParty } from '../../../../../shared/kernel/access/second-factor/relying-party.ts';

const settings = {
  base_url: '',
  hostname: 'gc01.lab.example',
  management_names: ['gc01.lab.example', 'ui.lab.example'],
};
const party = (rp_id: string, origin: string) => ({ rp_id, origin });

test.each([
  ['its name', true, 'gc01.lab.example', party('gc01.lab.example', 'https://gc01.lab.example')],
  ['with a port', true, 'ui.lab.example:8443', party('ui.lab.example', 'https://ui.lab.example:8443')],
  ['plain HTTP', false, 'gc01.lab.example', null],
  ['localhost over plain HTTP', false, 'localhost:8080', party('localhost', 'http://localhost:8080')],
  ['an address', true, '10.10.0.5', null],
  ['an IPv6 address', true, '[fd00::5]', null],
  ['a name of somebody else', true, 'evil.example', null],
  ['a name below its own', true, 'x.gc01.lab.example', null],
  ['a name with a user', true, 'gc01.lab.example@evil.example', null],
  ['none', true, '', null],
])('reached by %s', (_name, secure, host, expected) => {
  expect(relyingParty(settings, { secure, headers: { host } })).toEqual(expected);
});

test('behind a proxy that ends TLS it is the configured origin', () => {
  const proxied = { ...settings, base_url: 'https://gc01.lab.example:444' };
  const asked = { secure: false, headers: { host: 'gc01.lab.example' } };
  expect(relyingParty(proxied, asked)).toEqual(party('gc01.lab.example', 'https://gc01.lab.example:444'));
});

test.each([
  ['https://gc01.lab.example', true],
  ['https://gc01.lab.example/', false],
  ['http://gc01.lab.example', false],
  ['https://evil.example', false],
  ['https://10.10.0.5', false],
  ['nonsense', false],
])('named by a program: %s', (origin, taken) => {
  expect(partyAt(settings, origin) !== null).toBe(taken);
});
