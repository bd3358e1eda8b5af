// The offline depot's pure parts: which file a request means and whether it takes a login, what a plan says of a change,
// and what refuses an apply.
import { describe, expect, test } from '@jest/globals';
import { desiredFaults } from '../../../../shared/services/offline-depot/check.ts';
import type { DepotDesired } from '../../../../shared/services/offline-depot/desired.ts';
import { facts } from '../../../../shared/services/offline-depot/facts.ts';
import { impact } from '../../../../shared/services/offline-depot/impact.ts';
import { parseManifest } from '../../../../shared/services/offline-depot/manifest.ts';
import { faultOf } from '../../../../shared/services/offline-depot/probe.ts';
import { render } from '../../../../shared/services/offline-depot/render.ts';
import { basicLogin } from '../../../../shared/services/offline-depot/serving/login.ts';
import { servePath } from '../../../../shared/services/offline-depot/serving/serve-path.ts';
import { privateCloudServicesSettings } from '../../../../shared/services/offline-depot/settings.ts';

const file = (path: string, open: boolean) => ({ kind: 'file', path, open, folder: false });

test.each([
  ['/PROD/metadata/a.json', file('PROD/metadata/a.json', false)],
  ['/PROD/vsan/hcl/all.json', file('PROD/vsan/hcl/all.json', true)],
  ['/PROD/vsan/hclx/all.json', file('PROD/vsan/hclx/all.json', false)],
  ['/umds-patch-store/a', file('umds-patch-store/a', true)],
  ['/umds-patch-store/../PROD/a', file('PROD/a', false)],
  ['/PROD/vsan/hcl/%2e%2e/%2E./x', file('PROD/x', false)],
  ['/products/v1/bundles/all?x', file('PROD/vsan/hcl/all.json', true)],
  ['/PROD/COMP/', { ...file('PROD/COMP', false), folder: true }],
  ['https://any.example/PROD/a', file('PROD/a', false)],
  ['/PROD/.hidden', { kind: 'none', open: false }],
  ['/PROD/a.ova.part', { kind: 'none', open: false }],
  ['/PROD/a%5cb', { kind: 'none', open: false }],
  ['/other', { kind: 'none', open: true }],
  ['/__proto__', { kind: 'none', open: true }],
  ['/PROD/%zz', { kind: 'malformed' }],
  ['/PROD/%00', { kind: 'malformed' }],
  ['/PROD/%ff', { kind: 'malformed' }],
  ['/../PROD/a', { kind: 'malformed' }],
  ['PROD/a', { kind: 'malformed' }],
  ['*', { kind: 'malformed' }],
])('the target %s', (target, found) => {
  expect(servePath(target)).toEqual(found);
});

test('a login is what comes before and after the first colon', () => {
  const encoded = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(basicLogin(encoded('depot:a:b'))).toEqual({ username: 'depot', password: 'a:b' });
  expect(basicLogin(encoded('depot').replace('Basic', 'basic'))).toBeNull();
  expect([basicLogin(undefined), basicLogin('Basic'), basicLogin('Bearer abc')]).toEqual([null, null, null]);
});

const BASE: DepotDesired = {
  settings: {
    ...privateCloudServicesSettings.defaults,
    enabled: true,
    hostname: 'depot.lab.example',
    listen_interfaces: ['ens224'],
    http_user: 'depot',
  },
  listen: [{ name: 'ens224', usable: true, addresses: ['192.168.10.2', 'fd00:10::2'] }],
  taken: {},
  clashes: [],
  authority: { pem: 'PEM', sha256: 'AA:BB' },
  certificate: { chain_pem: 'PEM', sha256: 'CC:DD', not_after: '2027-11-25T10:00:00.000Z', sealed: null },
  user_known: true,
};
const desired = (change: Partial<DepotDesired>, settings: Partial<DepotDesired['settings']> = {}): DepotDesired => ({
  ...BASE,
  ...change,
  settings: { ...BASE.settings, ...settings },
});

describe('an apply', () => {
  test('has one file, which can be read again and holds nothing secret', () => {
    const [rendered, ...others] = render(BASE);
    expect([others, rendered!.mode]).toEqual([[], 0o640]);
    expect(parseManifest(rendered!.content)).toEqual({
      version: 1,
      listeners: [
        { interface: 'ens224', address: '192.168.10.2', port: 443 },
        { interface: 'ens224', address: 'fd00:10::2', port: 443 },
      ],
      hostname: 'depot.lab.example',
      http_user: 'depot',
      allow_unauthenticated_access: false,
    });
    expect(render(desired({}, { enabled: false }))).toEqual([]);
    expect(() => parseManifest('{"version": 2}')).toThrow('not one of this release');
  });

  test.each<[string, DepotDesired, RegExp]>([
    [
      'without a root certificate',
      desired({ authority: null }),
      /no root certificate.*page of the certificate authority/,
    ],
    ['without an interface', desired({ listen: [] }), /listens on no interface/],
    ['on an interface that is gone', desired({ listen: [{ ...BASE.listen[0]!, usable: false }] }), /ens224 is missing/],
    ['without a fixed address', desired({ listen: [{ ...BASE.listen[0]!, addresses: [] }] }), /no fixed address/],
    ['where the management UI answers', desired({ taken: { '192.168.10.2': 'management-ui' } }), /another port/],
    ['where the public pages answer everywhere', desired({ taken: { '0.0.0.0': 'public-pages' } }), /public pages/],
    ['with a user that is gone', desired({ user_known: false }), /no depot user depot/],
  ])('is refused %s, with the way out', (_what, state, said) => {
    expect(desiredFaults(state).join('\n')).toMatch(said);
  });

  test('is not refused as it should be', () => {
    expect(desiredFaults(BASE)).toEqual([]);
  });

  test.each<[string, DepotDesired | null, DepotDesired, string, string]>([
    ['switched on', null, BASE, 'low', 'The offline depot answers over HTTPS.'],
    ['switched off', BASE, desired({}, { enabled: false }), 'high', 'switched off'],
    ['opened to all', BASE, desired({}, { allow_unauthenticated_access: true }), 'high', 'Everybody who reaches it'],
    [
      'with another user',
      BASE,
      desired({}, { http_user: 'other' }),
      'medium',
      'It lets user other in, and nobody else',
    ],
    ['at another port', BASE, desired({}, { port: 8443 }), 'high', 'It answers elsewhere on ens224'],
    [
      'with another name',
      BASE,
      desired({}, { hostname: 'x.lab.example' }),
      'high',
      'Its certificate names x.lab.example',
    ],
    ['of another root', BASE, desired({ authority: { pem: '', sha256: 'CC' } }), 'high', 'issued by another root'],
  ])('says what it means: %s', (_what, before, after, risk, sentence) => {
    const files = { written: [], removed: [] };
    const said = impact({ before: before && facts(before), after: facts(after), ...files });
    expect([said.risk, said.says.join(' ')]).toEqual([risk, expect.stringContaining(sentence)]);
  });

  test('is found out where a listener is silent or of before', () => {
    const listeners = [{ address: 'fd00::1', port: 8443 }];
    expect(faultOf({ listeners }, [{ text: 'abc\n', error: null }], 'abc')).toBeNull();
    expect(faultOf({ listeners }, [{ text: 'abc\n', error: null }], 'abd')).toContain('earlier state');
    expect(faultOf({ listeners }, [], 'abc')).toBe(
      'The depot listener does not answer at https://[fd00::1]:8443: nothing came back.',
    );
  });
});
