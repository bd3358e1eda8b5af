// Candidates for a vault: keys, addresses, and why one is skipped. Pure.
import { describe, expect, test } from '@jest/globals';
import { ENTRY_KEY, VALUE_LENGTH_MOST } from '../../../../shared/platform/vaults/schemas.ts';
import { readUri } from '../../../../shared/platform/vaults/uris.ts';
import {
  candidatesOf,
  isHost,
  isMasked,
  type SourceCredential,
  uriOf,
} from '../../../../shared/vcf/vcf-api/credential.ts';
import { sourcesIn } from '../../../../shared/vcf/vcf-api/installer-credentials.ts';
import { atLeast, isSupported, parseVersion } from '../../../../shared/vcf/vcf-api/version.ts';
import { growth, NEARLY_LINEAR } from '../../../setup/growth.ts';

const source = (given: Partial<SourceCredential> = {}): SourceCredential => ({
  source_id: 'id-1',
  username: 'root',
  value: 'Secret-Value-1!',
  resource_name: 'esx01.lab.test',
  resource_type: 'ESXI',
  credential_type: 'SSH',
  uris: ['ssh://esx01.lab.test'],
  auto_rotated: false,
  ...given,
});
const candidate = (given: Partial<SourceCredential>) => candidatesOf([source(given)])[0]!;

test.each([
  [{}, 'esxi.esx01_lab_test.root_ssh'],
  [
    {
      resource_type: 'PSC',
      resource_name: 'vc01.lab.test',
      username: 'administrator@vsphere.local',
      credential_type: 'SSO',
    },
    'vcenter.vc01_lab_test.administrator_vsphere_local_sso',
  ],
  [{ resource_type: 'NSXT_MANAGER', username: 'admin', credential_type: 'API' }, 'nsx.esx01_lab_test.admin_api'],
  [{ resource_name: '10.0.0.5' }, 'esxi.10_0_0_5.root_ssh'],
  [{ resource_name: '', username: null, credential_type: '' }, 'esxi.unnamed.unnamed'],
  [{ resource_name: 'ÄÖ ß…/..', username: '../../x' }, 'esxi.a_o.x_ssh'],
])('the key that is proposed for %j is %s', (given, key) => {
  expect(candidate(given).key).toBe(key);
});

test('every key is one that a vault takes, unique and the same in any order, whatever the names', () => {
  const names = [
    'a'.repeat(300),
    `${'a'.repeat(299)}b`,
    'x-y',
    'x_y',
    'X.Y',
    '...',
    '日本',
    '\u0000',
    'ﬁ',
    '9',
    '_',
    'q'.repeat(170),
  ];
  const sources = names.flatMap((resource_name, n) =>
    ['root', 'svc-1', 'svc_1'].map((username) => source({ source_id: `${n}/${username}`, resource_name, username })),
  );
  const candidates = candidatesOf(sources);
  for (const { key } of candidates) {
    expect(key).toMatch(ENTRY_KEY);
    expect(key.length).toBeLessThanOrEqual(180);
  }
  expect(new Set(candidates.map(({ key }) => key)).size).toBe(sources.length);
  const turned = candidatesOf(sources.toReversed()).toReversed();
  expect(turned).toEqual(candidates);
});

test.each([
  [{ value: '********' }, 'masked'],
  [{ value: '*' }, 'masked'],
  [{ value: '••••••' }, 'masked'],
  [{ value: '<masked>' }, 'masked'],
  [{ value: 'REDACTED' }, 'masked'],
  [{ value: 'AUTO_GENERATED' }, 'generated'],
  [{ value: '', no_value: 'generated' }, 'generated'],
  [{ value: null }, 'absent'],
  [{ username: null }, 'no-username'],
  [{ username: '' }, 'no-username'],
  [{ username: 'u'.repeat(256) }, 'unusable'],
  [{ username: 'a\nb' }, 'unusable'],
  [{ value: 'v'.repeat(VALUE_LENGTH_MOST + 1) }, 'unusable'],
  [{ value: 'a\u0000b' }, 'unusable'],
  [{ value: 'a\ud800b' }, 'unusable'],
] as [Partial<SourceCredential>, string][])('%j is skipped as %s, and says why', (given, reason) => {
  const { skip } = candidate(given);
  expect(skip?.reason).toBe(reason);
  expect(skip?.detail).toMatch(/^[A-Z].{20,}\.$/);
});

test.each(['*secret*', 'a', ' leading space', '***x', 'x'.repeat(VALUE_LENGTH_MOST), 'pass masked word', 'Ünïcode✓'])(
  '%j is a value like any other',
  (value) => {
    expect(candidate({ value }).skip).toBeNull();
    expect(isMasked(value)).toBe(false);
  },
);

test('keys stay unique when a source makes its names after them', () => {
  const twice = [source({ source_id: '1' }), source({ source_id: '2' })];
  const account = candidatesOf(twice)[0]!.key.split('.').at(-1)!;
  const named = source({ source_id: '3', username: account, credential_type: '' });
  for (const sources of [
    [...twice, named],
    [named, ...twice],
  ]) {
    const keys = candidatesOf(sources).map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(ENTRY_KEY);
  }
});

test.each(['ro\u202eot', 'root\u200b', '\u2066root', ' '])('the user name %j is not taken', (username) => {
  const { skip, username: shown } = candidate({ username });
  expect(skip?.reason).toBe(username === ' ' ? 'no-username' : 'unusable');
  expect(shown).toMatch(/^[ a-z]*$/);
});

test('a ref changes with whatever was shown, not with the value or the order', () => {
  const { ref } = candidate({});
  expect(candidate({ value: 'another' }).ref).toBe(ref);
  expect(candidatesOf([source({ source_id: 'other' }), source()])[1]!.ref).toBe(ref);
  const changes = [
    { username: 'x' },
    { resource_name: 'y.lab.test' },
    { uris: [] },
    { source_id: 'z' },
    { credential_type: 'API' },
  ];
  for (const change of changes) expect(candidate(change).ref).not.toBe(ref);
});

test('a candidate holds no value', () => {
  expect(JSON.stringify(candidatesOf([source()]))).not.toContain('Secret-Value');
});

test.each([
  ['esx01.lab.test', 'https://esx01.lab.test'],
  ['ESX01.Lab.Test.', 'https://esx01.lab.test'],
  ['10.0.0.5', 'https://10.0.0.5'],
  ['2001:DB8::5', 'https://[2001:db8::5]'],
])('%s is an address: %s', (host, uri) => {
  expect(uriOf('https', host)).toEqual([uri]);
  expect(readUri(uri)).toEqual({ uri });
});

test.each([
  '',
  'esx01',
  '0x7f.1',
  '1.2.3',
  'a b.test',
  'user@host.test',
  'host.test/path',
  'host.test:22',
  'fe80::1%eth0',
  '-a.test',
  'a..test',
])('%j is none', (host) => {
  expect(uriOf('https', host)).toEqual([]);
  expect(isHost(host)).toBe(false);
});

test.each([
  ['9.0.0.0.24703748', true],
  ['9.1.1.0-25012345', true],
  ['9.1', true],
  ['5.2.1.0', false],
  ['10.0.0.0', false],
  ['90.1', false],
])('version %s: supported is %s', (text, supported) => {
  expect(isSupported(parseVersion(text)!)).toBe(supported);
});

test.each(['', '9', 'nine.one', '9.1.x', '9..1', '9.1 <script>', `9.${'1'.repeat(40)}`])('%j is no version', (text) => {
  expect(parseVersion(text)).toBeNull();
});

test('versions compare by parts, missing ones as 0', () => {
  const version = parseVersion('9.1.0.0.25')!;
  expect([
    atLeast(version, 9, 0),
    atLeast(version, 9, 1),
    atLeast(version, 9, 1, 0),
    atLeast(version, 9, 1, 1),
  ]).toEqual([true, true, true, false]);
  expect(atLeast(parseVersion('9.1')!, 9, 1, 0)).toBe(true);
});

describe('the specification of a deployment', () => {
  const shown = (spec: Record<string, unknown>) =>
    candidatesOf(sourcesIn(spec)).map(
      ({ key, username, uris, skip }) => `${key} | ${username} | ${uris.join(' ')} | ${skip?.reason ?? 'ok'}`,
    );

  test('known components come with users and addresses; short names get the domain', () => {
    const spec = {
      dnsSpec: { subdomain: 'lab.test' },
      hostSpecs: [{ hostname: 'esx01', credentials: { username: 'root', password: 'v1' } }],
      vcenterSpec: {
        vcenterHostname: 'vc01.other.test',
        rootVcenterPassword: 'v2',
        adminUserSsoPassword: 'v3',
        adminUserSsoUsername: 'ops-admin',
        ssoDomain: 'sso.local',
      },
      nsxtSpec: {
        vipFqdn: 'nsx01',
        nsxtManagers: [{ hostname: 'nsx01a' }, { hostname: 'nsx01b' }],
        rootNsxtManagerPassword: 'v4',
        nsxtAdminPassword: '***',
      },
    };
    expect(shown(spec)).toEqual([
      'esxi.esx01_lab_test.root_ssh | root | https://esx01.lab.test ssh://esx01.lab.test | ok',
      'vcenter.vc01_other_test.root_ssh | root | ssh://vc01.other.test | ok',
      'vcenter.vc01_other_test.ops_admin_sso_local_sso | ops-admin@sso.local | https://vc01.other.test | ok',
      'nsx.nsx01_lab_test.root_ssh | root | ssh://nsx01a.lab.test ssh://nsx01b.lab.test | ok',
      'nsx.nsx01_lab_test.admin_api | admin | https://nsx01.lab.test | masked',
    ]);
  });

  test('a password that the deployment generated is shown with its reason; one of an existing component is not', () => {
    const spec = {
      sddcManagerSpec: { hostname: 'sddc01.lab.test', rootPassword: '', localUserPassword: 'v' },
      vcenterSpec: { vcenterHostname: 'vc01.lab.test', useExistingDeployment: true, adminUserSsoPassword: 'v' },
      vcfOperationsSpec: { useExistingDeployment: true, nodes: [{ hostname: 'ops01.lab.test' }] },
    };
    expect(shown(spec)).toEqual([
      'vcenter.vc01_lab_test.administrator_vsphere_local_sso | administrator@vsphere.local | https://vc01.lab.test | ok',
      'sddc_manager.sddc01_lab_test.root_ssh | root | ssh://sddc01.lab.test | generated',
      'sddc_manager.sddc01_lab_test.vcf_ssh | vcf | ssh://sddc01.lab.test | generated',
      'sddc_manager.sddc01_lab_test.admin_local_api | admin@local | https://sddc01.lab.test | ok',
    ]);
  });

  test('what is not known is shown without a guess', () => {
    const spec = {
      newThingSpec: { hostname: 'new.lab.test', rootUserPassword: 'v1', servicePassword: 'v2' },
      proxySpec: { proxy: { username: 'squid', password: 'v3' } },
      notOne: { passwordPolicy: 'strict', password: 5 },
    };
    expect(shown(spec)).toEqual([
      'newthing.new_lab_test.root | root |  | ok',
      'newthing.new_lab_test.unnamed |  |  | no-username',
      'proxy.proxyspec.squid | squid |  | ok',
    ]);
  });

  test.each([
    ['nothing', {}],
    [
      'wrong types',
      {
        hostSpecs: 'x',
        vcenterSpec: [],
        nsxtSpec: null,
        vcfOperationsSpec: { useExistingDeployment: true, nodes: [null, 3, []] },
      },
    ],
    [
      'names of prototypes',
      JSON.parse('{"__proto__":{"rootPassword":5},"constructor":{"x":1}}') as Record<string, unknown>,
    ],
  ])('%s gives nothing and breaks nothing', (_name, spec) => {
    expect(shown(spec)).toEqual([]);
  });

  test.each(['toString', 'constructor', '__proto__', 'valueOf'])(
    'a member that is called %s is one like others',
    (name) => {
      const [only, ...more] = candidatesOf(sourcesIn(JSON.parse(`{"${name}":{"rootPassword":"Secret-Value-1!"}}`)));
      expect([only, more]).toMatchObject([{ resource_name: name, username: 'root', skip: null }, []]);
    },
  );

  test('two places whose names read the same are one candidate', () => {
    const spec = JSON.parse('{"q":{"a.b":{"rootPassword":"One-Value-1!"},"a":{"b":{"rootPassword":"Two-Value-1!"}}}}');
    expect(candidatesOf(sourcesIn(spec))).toHaveLength(1);
  });

  test('a document of any depth or breadth costs no more than its size', async () => {
    const read = (size: number) => {
      let deep: unknown = { rootPassword: 'v' };
      for (let n = 0; n < size / 10; n += 1) deep = { deep };
      expect(shown({ deep, wide: Array.from({ length: size }, () => ({})) })).toEqual([]);
    };
    expect(await growth(read, 12_500)).toBeLessThan(NEARLY_LINEAR);
  });
});
