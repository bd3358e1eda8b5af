// The names that the management UI goes by, as the units are told of them.
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { managementPlace, namesNow } from '../../runtime/management-names.ts';
import { certificates } from '../setup/certificates.ts';

const PLAIN = { listen: { host: '::', port: 443 }, tls: null, hostname: 'GC01.lab.example', base_url: '' };

test('the machine’s, the origin’s and those of the certificate, but none with a wildcard', () => {
  const made = certificates('ui.lab.example,DNS:*.corp.example,IP:192.0.2.1');
  const base_url = 'https://gc.corp.example:8443';
  const [tls] = made.paths as [(typeof made.paths)[0]];
  expect(managementPlace({ ...PLAIN, base_url, tls })).toEqual({
    management_port: 443,
    management_tls: true,
    management_names: ['localhost', 'gc01.lab.example', 'gc01', 'gc.corp.example', 'ui.lab.example'],
    management_certificate: expect.stringContaining('-----BEGIN CERTIFICATE-----'),
  });
  made.remove();
  // A certificate that is not there is told by the listener.
  expect(managementPlace({ ...PLAIN, tls }).management_names).toEqual(['localhost', 'gc01.lab.example', 'gc01']);
  expect(managementPlace(PLAIN).management_tls).toBe(false);
});

test('those of the certificate that is shown now', () => {
  const of = (names: string) => {
    const made = certificates(names);
    const cert = readFileSync(made.paths[0]!.cert, 'utf8');
    made.remove();
    return { shown: { cert } };
  };
  const tls = of('ui.lab.example,DNS:*.corp.example');
  const now = namesNow({ management_names: ['gc01'] }, tls);
  expect(now()).toEqual(['gc01', 'ui.lab.example']);
  Object.assign(tls, of('next.lab.example'));
  expect(now()).toEqual(['gc01', 'next.lab.example']);
  expect(namesNow({ management_names: ['gc01'] }, null)()).toEqual(['gc01']);
});
