// OpenID Connect as data: who the issuer is, what a plan says, what refuses an apply, which redirect URIs are taken, which secret
// is one, and which groups a client is told of.
import { describe, expect, test } from '@jest/globals';
import { desiredFaults } from '../../../../shared/services/oidc/check.ts';
import { redirectFault } from '../../../../shared/services/oidc/clients/redirect-uris.ts';
import { digestOf, isSecret } from '../../../../shared/services/oidc/clients/secret.ts';
import { NO_OIDC, type OidcDesired } from '../../../../shared/services/oidc/desired.ts';
import { facts } from '../../../../shared/services/oidc/facts.ts';
import { impact } from '../../../../shared/services/oidc/impact.ts';
import { issuerOf, pathOfIssuer } from '../../../../shared/services/oidc/issuer.ts';
import { parseManifest } from '../../../../shared/services/oidc/manifest.ts';
import { faultOf } from '../../../../shared/services/oidc/probe.ts';
import { groupsFor } from '../../../../shared/services/oidc/provider/claims.ts';
import { render } from '../../../../shared/services/oidc/render.ts';

const BASE: OidcDesired = {
  ...NO_OIDC,
  settings: { ...NO_OIDC.settings, enabled: true, hostname: 'id.lab.example', listen_interfaces: ['ens224'] },
  listen: [{ name: 'ens224', usable: true, addresses: ['192.168.10.2', 'fd00:10::2'] }],
  authority: { pem: 'PEM', sha256: 'AA:BB' },
  certificate: { chain_pem: 'PEM', sha256: 'CC:DD', not_after: '2027-11-25T10:00:00.000Z', sealed: null },
  clients: ['Grafana', 'vc01'],
};
const changed = (settings: Partial<OidcDesired['settings']>): OidcDesired => ({
  ...BASE,
  settings: { ...BASE.settings, ...settings },
});
const said = (before: OidcDesired | null, after: OidcDesired) =>
  impact({ before: before && facts(before), after: facts(after), written: [], removed: [] }, after);

test.each<[settings: Partial<OidcDesired['settings']>, issuer: string, path: string]>([
  [{}, 'https://id.lab.example/identity', '/identity'],
  [{ port: 8443 }, 'https://id.lab.example:8443/identity', '/identity'],
  [{ hostname: '' }, 'https://192.168.10.2/identity', '/identity'],
  [{ issuer: 'https://id.corp.example/' }, 'https://id.corp.example', ''],
  [{ issuer: 'https://id.corp.example/a/b' }, 'https://id.corp.example/a/b', '/a/b'],
])('the issuer of %j', (settings, issuer, path) => {
  expect(issuerOf({ ...BASE.settings, ...settings }, ['192.168.10.2'])).toBe(issuer);
  expect(pathOfIssuer(issuer)).toBe(path);
});

test('the manifest has no secret, and none while the provider is off', () => {
  const [file] = render(BASE);
  expect(parseManifest(file!.content)).toMatchObject({
    issuer: 'https://id.lab.example/identity',
    hostname: 'id.lab.example',
  });
  expect(render(changed({ enabled: false }))).toEqual([]);
});

describe('what a plan says', () => {
  test('another issuer is a high risk, and names who breaks', () => {
    const { says, risk } = said(BASE, changed({ issuer: 'https://id.corp.example' }));
    expect(risk).toBe('high');
    expect(says.join(' ')).toContain('Grafana, vc01');
  });

  test('switching it off names them too; the first time is a low risk', () => {
    expect(said(BASE, changed({ enabled: false }))).toMatchObject({
      risk: 'high',
      says: [expect.stringContaining('vc01')],
    });
    expect(said(null, BASE).risk).toBe('low');
  });

  test('another certificate is a medium risk, named by its fingerprint', () => {
    const { says, risk } = said(BASE, { ...BASE, certificate: { ...BASE.certificate!, sha256: 'EE:FF' } });
    expect([risk, says]).toEqual(['medium', [expect.stringContaining('another certificate, SHA-256 EE:FF')]]);
  });
});

test('what refuses an apply', () => {
  expect(desiredFaults(BASE)).toEqual([]);
  expect(desiredFaults({ ...BASE, authority: null })).toHaveLength(1);
  expect(desiredFaults({ ...BASE, certificate: null })).toEqual([expect.stringContaining('custody')]);
  expect(desiredFaults({ ...BASE, listen: [] })).toHaveLength(1);
  expect(desiredFaults({ ...BASE, taken: { '192.168.10.2': 'management-ui' } })).toHaveLength(1);
  expect(desiredFaults({ ...BASE, clashes: ['It is taken.'] })).toEqual(['It is taken.']);
});

test('what the probe finds', () => {
  const listeners = [{ address: '192.168.10.2', port: 443 }];
  const right = {
    applied: 'digest',
    signs: 'one',
    issuer: 'https://a',
    keys: ['one', 'two'],
    sha256: 'CC:DD',
    error: null,
  };
  const fault = (answer: object) =>
    faultOf({ listeners }, [{ ...right, ...answer }], { issuer: 'https://a', digest: 'digest', certificate: 'CC:DD' });
  expect(fault({})).toBeNull();
  expect(fault({ error: 'status 503' })).toContain('status 503');
  expect(fault({ applied: 'former' })).toContain('earlier state');
  expect(fault({ sha256: 'EE:FF' })).toContain('another certificate: EE:FF');
  expect(fault({ issuer: 'https://b' })).toContain('another issuer');
  expect(fault({ keys: ['two'] })).toContain('does not publish');
  expect(fault({ flow: null })).toBeNull();
  expect(fault({ flow: 'the token address answers 500' })).toContain(
    'nobody can sign in: the token address answers 500',
  );
});

test.each([
  'https://vc01.lab.example/federation/t/CUSTOMER/auth/response/oauth2',
  'https://auto.lab.example/login/oauth?service=tenant:acme',
  'https://app.lab.example:8443/a%20b',
  'http://localhost:3000/callback',
  'http://127.0.0.1/',
  'http://[::1]:9/x',
])('%s may be a redirect URI', (uri) => expect(redirectFault(uri)).toBeNull());

test.each([
  'http://app.lab.example/callback',
  'http://localhost.evil.example/',
  'https://*.lab.example/callback',
  'https://app.lab.example/*',
  'https://ada@app.lab.example/',
  'https://@app.lab.example/',
  'https://app.lab.example/#part',
  'https://app.lab.example/a/../b',
  'https://APP.lab.example/',
  'https://app.lab.example:443/',
  'https:\\\\app.lab.example/',
  'https://app.lab.example/ä',
  'https://app.lab.example/a b',
  'javascript:alert(1)',
  'com.example.app:/callback',
  '/callback',
  '',
  `https://app.lab.example/${'a'.repeat(1024)}`,
])('%s may not', (uri) => expect(redirectFault(uri)).toEqual(expect.any(String)));

test('the former secret is one until its time is over', () => {
  const kept = {
    secret_sha256: digestOf('new'),
    former_sha256: digestOf('old'),
    former_until: '2026-11-26T10:00:00.000Z',
  };
  const at = (now: string) => ['new', 'old', 'other', ''].map((sent) => isSecret(kept, sent, now));
  expect(at('2026-11-26T09:59:59.999Z')).toEqual([true, true, false, false]);
  expect(at('2026-11-26T10:00:00.000Z')).toEqual([true, false, false, false]);
  expect(isSecret({ ...kept, former_sha256: '', former_until: null }, '', '2026-11-26T00:00:00.000Z')).toBe(false);
});

test('groups as a client is told of them', () => {
  const groups = ['VCF Admins', 'Operators'];
  expect(groupsFor({ sends_groups: [] }, groups)).toEqual(['Operators', 'VCF Admins']);
  expect(groupsFor({ sends_groups: [{ group: 'vcf admins', as: 'admins' }] }, groups)).toEqual(['admins']);
  expect(groupsFor({ sends_groups: [{ group: 'Others', as: 'x' }] }, groups)).toEqual([]);
});
