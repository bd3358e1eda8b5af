// The portal's pure parts: what an apply renders, refuses and says; and which address of it a certificate names.
import { describe, expect, test } from '@jest/globals';
import { fileRefusal } from '../../../../shared/appliance/host-guard.ts';
import { portalAddresses } from '../../../../shared/platform/certificate-authority/portal/addresses.ts';
import { desiredFaults } from '../../../../shared/platform/certificate-authority/portal/check.ts';
import { CONSOLE_FILE } from '../../../../shared/platform/certificate-authority/portal/console.ts';
import { NO_PORTAL, type PortalDesired } from '../../../../shared/platform/certificate-authority/portal/desired.ts';
import { facts } from '../../../../shared/platform/certificate-authority/portal/facts.ts';
import { impact } from '../../../../shared/platform/certificate-authority/portal/impact.ts';
import { parseManifest } from '../../../../shared/platform/certificate-authority/portal/manifest.ts';
import { faultOf } from '../../../../shared/platform/certificate-authority/portal/probe.ts';
import { render } from '../../../../shared/platform/certificate-authority/portal/render.ts';
import { certificateAuthorityUnit } from '../../../../shared/platform/certificate-authority/unit.ts';

const root = {
  id: 'ca_1',
  standing: 'signing' as const,
  subject: 'CN=Root',
  sha256: Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':'),
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: '2036-01-01T00:00:00.000Z',
  pem: 'PEM\n',
  chain_pem: '',
};
const BASE: PortalDesired = {
  on: true,
  hostname: 'ca.lab.example',
  revocation: true,
  listen: [{ name: 'ens224', usable: true, addresses: ['192.168.10.2', 'fd00:10::2'] }],
  taken: {},
  authorities: [root],
  orphaned: {},
};
const desired = (change: Partial<PortalDesired>): PortalDesired => ({ ...BASE, ...change });
const hostOf = (state: PortalDesired | null, enforces = true) => ({
  enforces,
  read: async () => (state === null ? null : (render(state)[0]?.content ?? null)),
});

describe('an apply', () => {
  test('has a manifest, which can be read again and holds nothing secret, and what the console shows', () => {
    const [rendered, console] = render(BASE);
    expect([render(BASE).length, rendered!.mode, console!.mode]).toEqual([2, 0o640, 0o644]);
    expect(console!.path).toBe(CONSOLE_FILE);
    expect(console!.content.split('\n').every((line) => line.length <= 80)).toBe(true);
    expect(console!.content.replaceAll(/\s/g, '')).toContain(`SHA-256:${root.sha256}`);
    expect([fileRefusal(console!), fileRefusal(rendered!)]).toEqual([null, null]);
    expect(parseManifest(rendered!.content)).toEqual({
      version: 1,
      listeners: [
        { interface: 'ens224', address: '192.168.10.2', port: 80 },
        { interface: 'ens224', address: 'fd00:10::2', port: 80 },
      ],
      hostname: 'ca.lab.example',
      revocation: true,
      authorities: [root],
    });
    expect(render(NO_PORTAL)).toEqual([]);
    expect(() => parseManifest('{"version": 2}')).toThrow('not one of this release');
  });

  test('lets no other word reach the console', () => {
    const line = (said: string) => fileRefusal({ path: CONSOLE_FILE, content: `${said}\n`, mode: 0o644 });
    expect(line('Sign in at https://evil.example')).toContain('none that the unit writes');
    expect(line('  \\n')).toContain('none that the unit writes');
    expect(fileRefusal({ path: '/etc/issue.d/other.issue', content: '', mode: 0o644 })).toContain('no file of a unit');
  });

  test('has nothing to say of custody alone', () => {
    expect([...facts(NO_PORTAL)]).toEqual([['enabled', false]]);
  });

  test.each<[string, PortalDesired, RegExp]>([
    ['without a root certificate', desired({ authorities: [] }), /root certificate, and there is none/],
    ['with a next one alone', desired({ authorities: [{ ...root, standing: 'next' }] }), /there is none/],
    ['on an interface that is gone', desired({ listen: [{ ...BASE.listen[0]!, usable: false }] }), /ens224 is missing/],
    ['without a fixed address', desired({ listen: [{ ...BASE.listen[0]!, addresses: [] }] }), /no fixed address/],
    ['where the management UI answers', desired({ taken: { '192.168.10.2': 'management-ui' } }), /the management UI/],
    [
      'where the offline depot answers',
      desired({ listen: [{ ...BASE.listen[0]!, held: 'the offline depot' }] }),
      /Port 80 of ens224 is used by the offline depot/,
    ],
    ['where the public pages answer everywhere', desired({ taken: { '::': 'public-pages' } }), /the public pages/],
  ])('is refused %s', (_what, state, said) => {
    expect(desiredFaults(state).join('\n')).toMatch(said);
  });

  test('is not refused as it should be', () => {
    expect(desiredFaults(BASE)).toEqual([]);
  });
});

describe('the impact', () => {
  const of = (before: PortalDesired | null, after: PortalDesired) =>
    impact({ before: before && facts(before), after: facts(after), written: [], removed: [] }, after);

  test('of another host name says how many certificates name the old one', () => {
    const after = desired({ hostname: 'pki.lab.example', orphaned: { 'ca.lab.example': 12, 'old.lab.example': 1 } });
    expect(of(BASE, after)).toEqual({
      says: [
        'Certificates that are issued from now on name it as pki.lab.example.',
        '12 certificates that are still valid name the portal as ca.lab.example: keep that name in DNS, or issue them anew.',
        'One certificate that is still valid names the portal as old.lab.example: keep that name in DNS, or issue it anew.',
      ],
      risk: 'high',
      interruption: 'none',
    });
  });

  test('of another interface does not repeat it', () => {
    const after = desired({ orphaned: { 'old.lab.example': 1 }, listen: [{ ...BASE.listen[0]!, name: 'ens256' }] });
    expect(of(BASE, after).says.join(' ')).not.toContain('old.lab.example');
  });

  test.each<[string, PortalDesired | null, PortalDesired, string, string]>([
    ['switched on', null, BASE, 'low', 'over plain HTTP'],
    ['switched off', BASE, { ...NO_PORTAL, orphaned: { 'ca.lab.example': 2 } }, 'high', '2 certificates'],
    ['without revocation', BASE, desired({ revocation: false }), 'medium', 'does not tell what was revoked'],
    ['without a name', BASE, desired({ hostname: '' }), 'low', 'name no address of it'],
  ])('%s', (_what, before, after, risk, says) => {
    const found = of(before, after);
    expect([found.risk, found.says.join(' ')]).toEqual([risk, expect.stringContaining(says)]);
  });
});

describe('a certificate names', () => {
  test('the portal in force, by its host name and the id of the authority', async () => {
    expect(await portalAddresses(hostOf(BASE), 'ca_1')).toEqual({
      host: 'ca.lab.example',
      issuer: 'http://ca.lab.example/ca/ca_1.crt',
      revocation: { crl: 'http://ca.lab.example/ca/ca_1.crl', ocsp: 'http://ca.lab.example/ca/ocsp' },
    });
    expect((await portalAddresses(hostOf(desired({ revocation: false })), 'ca_1'))?.revocation).toBeNull();
  });

  test.each<[string, Parameters<typeof portalAddresses>]>([
    ['where nothing is known of the host', [undefined, 'ca_1']],
    ['in a rehearsal', [hostOf(BASE, false), 'ca_1']],
    ['before the portal is in force', [hostOf(null), 'ca_1']],
    ['without a host name', [hostOf(desired({ hostname: '' })), 'ca_1']],
    ['of an authority that the portal does not know yet', [hostOf(BASE), 'ca_2']],
    ['while the manifest is damaged', [{ enforces: true, read: async () => '{' }, 'ca_1']],
  ])('nothing %s', async (_what, asked) => {
    expect(await portalAddresses(...asked)).toBeNull();
  });
});

test('the probe tells an earlier state, another root and silence apart', () => {
  const at = ['http://192.168.10.2'];
  const answer = (text: string | null) => ({ text, error: text === null ? 'connect ECONNREFUSED' : null });
  const expected = { digest: 'd1', pem: 'PEM\n' };
  expect(faultOf(at, [answer('d1\n'), answer('PEM\nCHAIN\n')], expected)).toBeNull();
  expect(faultOf(at, [answer('d0'), answer('PEM\n')], expected)).toMatch(/earlier state/);
  expect(faultOf(at, [answer('d1'), answer('OTHER')], expected)).toMatch(/another root/);
  expect(faultOf(at, [], expected)).toMatch(/does not answer at http:\/\/192.168.10.2: nothing came back/);
  expect(faultOf(at, [answer(null)], expected)).toMatch(/ECONNREFUSED/);
});

test('every fact has words', () => {
  for (const [key, value] of facts(BASE)) {
    const [kind = '', name = ''] = key.split(' ');
    expect(certificateAuthorityUnit.words(kind, name, value)[0]).not.toBe(key);
  }
});
