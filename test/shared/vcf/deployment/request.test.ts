// What was asked of a deployment: what its properties say, what is written down and what is not, what is asked again, and how
// its job stands.
import { describe, expect, test } from '@jest/globals';
import { readDescriptor } from '../../../../shared/ground/ova/descriptor.ts';
import { propertyValues } from '../../../../shared/ground/ova/property-values.ts';
import type { OvaPackage } from '../../../../shared/ground/ova/types.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import type { EndedJob } from '../../../../shared/kernel/jobs/kind.ts';
import { addressingOf } from '../../../../shared/vcf/deployment/addressing.ts';
import { continues } from '../../../../shared/vcf/deployment/continues.ts';
import { addressingIn, keptDescriptor } from '../../../../shared/vcf/deployment/kept-descriptor.ts';
import { machineText, type Notes } from '../../../../shared/vcf/deployment/notes.ts';
import { readDeployment, type TypedDeployment } from '../../../../shared/vcf/deployment/request.ts';
import { pairs } from '../../../../shared/vcf/deployment/stream.ts';
import { deploymentView } from '../../../../shared/vcf/deployment/view.ts';
import { descriptorXml } from '../../../setup/make-ova/descriptor.ts';
import { sddcManagerAnswers, sddcManagerProducts } from '../../../setup/make-ova.ts';

const target = { host: 'vc01.lab.test', port: 443, address: '192.0.2.10', sha256: 'AA' };

function packageOf(form: 'vami' | 'plain'): OvaPackage {
  const xml = descriptorXml({
    name: 'sddc',
    files: [{ id: 'file1', href: 'd.vmdk', size: 10 }],
    disks: [{ id: 'disk1', file_id: 'file1', capacity: '64', units: 'byte * 2^30' }],
    products: sddcManagerProducts(form),
    networks: [{ name: 'Network 1', description: '' }],
    eulas: [],
    options: [],
  });
  const { descriptor, text } = readDescriptor(Buffer.from(xml));
  const manifest = new Map([['d.vmdk', { algorithm: 'sha256' as const, hex: 'aa' }]]);
  const members = [{ name: 'd.vmdk', offset: 0, size: 10 }];
  return {
    ...{ path: '/a.ova', size: 100, mtime_ms: 1, members, descriptor, descriptor_xml: text, manifest },
    certificate: null,
    signature: null,
  };
}

describe.each(['vami', 'plain'] as const)('the properties of the form %s', (form) => {
  const pkg = packageOf(form);
  test('say the name, the addresses and who answers', () => {
    const { environment } = propertyValues(pkg.descriptor, '', sddcManagerAnswers(form));
    const said = addressingOf(pkg.descriptor, new Map(environment.map(({ key, value }) => [key, value])));
    expect(said).toEqual({
      fqdn: 'sddc01.lab.test',
      addresses: [{ key: form === 'vami' ? 'vami.ip0.SDDC-Manager' : 'ip0', family: 4, address: '10.20.0.15' }],
      name_servers: ['10.20.0.2'],
      ntp_servers: ['ntp1.lab.test', 'ntp2.lab.test'],
      local_password_key: 'LOCAL_USER_PASSWORD',
    });
  });
  test('are divided into what is written down and what is not', () => {
    const answers = sddcManagerAnswers(form);
    const { request, secret_values } = readDeployment(chosen(pkg), typed({ properties: answers }));
    expect(request.secret_properties).toEqual(['ROOT_PASSWORD', 'LOCAL_USER_PASSWORD']);
    expect(Object.keys(secret_values)).toEqual(request.secret_properties);
    for (const secret of Object.values(secret_values)) expect(JSON.stringify(request)).not.toContain(secret);
    expect(request.properties).toMatchObject({ 'guestinfo.ntp': 'ntp1.lab.test,ntp2.lab.test' });
  });
});

const chosen = (pkg: OvaPackage) => ({ target, stored: null, file: 'a.ova', pkg, place: 'vsan of esx01' });
const typed = (part: Partial<TypedDeployment> = {}): TypedDeployment => ({
  name: 'sddc01',
  placement: {
    ...{ datacenter_id: 'dc', pool_id: 'pool', host_id: null, datastore_id: 'ds', folder_id: null },
    networks: { 'Network 1': 'network-1' },
  },
  ...{ deployment_option: '', disk_provisioning: 'thin', properties: sddcManagerAnswers(), power_on: true },
  extras: { dns: false, trust: false, depot: false },
  ...part,
});

test.each([
  ['a network without a place', { placement: { ...typed().placement, networks: {} } }, '/placement/networks/Network 1'],
  ['trust without power', { power_on: false, extras: { dns: false, trust: true, depot: false } }, '/extras/trust'],
  [
    'a short password',
    { properties: { ...sddcManagerAnswers(), ROOT_PASSWORD: 'short' } },
    '/properties/ROOT_PASSWORD',
  ],
  ['a size that is none', { deployment_option: 'huge' }, '/deployment_option'],
] as const)('%s is refused at its field, without its value', (_name, part, pointer) => {
  const read = () => readDeployment(chosen(packageOf('vami')), typed(part as Partial<TypedDeployment>));
  const problem = caught(read);
  expect(problem.members.errors?.map((error) => error.pointer)).toContain(pointer);
  expect(JSON.stringify(problem)).not.toContain('short');
});

function caught(work: () => unknown): Problem {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('what is asked again', () => {
  const { request } = readDeployment(
    chosen(packageOf('vami')),
    typed({ extras: { dns: true, trust: true, depot: true } }),
  );
  const failed = (kept: Notes, code = 'remote_credential_gone') =>
    ({ state: 'failed', error: { error_code: code }, tasks: [], input: request, kept }) as unknown as EndedJob;
  const names = (kept: Notes, code?: string) => continues(failed(kept, code))?.fields.map(({ name }) => name);
  const LOGIN = ['username', 'password'];
  const BOTH = ['property:ROOT_PASSWORD', 'property:LOCAL_USER_PASSWORD'];
  const LOCAL = 'property:LOCAL_USER_PASSWORD';

  test.each([
    ['before the import is complete, everything', {}, [...LOGIN, ...BOTH, 'depot_password']],
    [
      'a machine of a vCenter that is still off',
      { kind: 'vcenter', machine: 'vm-1' },
      [...LOGIN, LOCAL, 'depot_password'],
    ],
    [
      'a machine of a host without its properties',
      { kind: 'esxi', machine: '1' },
      [...LOGIN, ...BOTH, 'depot_password'],
    ],
    [
      'one whose properties may not have come to its settings',
      { kind: 'esxi', machine: '1', environment: 'setting' },
      [...LOGIN, ...BOTH, 'depot_password'],
    ],
    ['a machine that runs', { kind: 'vcenter', machine: 'vm-1', powered: true }, [LOCAL, 'depot_password']],
    [
      'one whose properties have to go from its settings',
      { kind: 'esxi', machine: '1', powered: true, environment: 'set' },
      [...LOGIN, LOCAL, 'depot_password'],
    ],
    ['only the depot is left', { machine: 'vm-1', powered: true, trust: 'done' }, [LOCAL, 'depot_password']],
    [
      'the depot is set, its metadata is not',
      { machine: 'vm-1', powered: true, trust: 'done', remote_depot: { put: { outcome: 'configured', before: null } } },
      [LOCAL],
    ],
    ['nothing is left to log in for', { machine: 'vm-1', powered: true, trust: 'done', depot: 'no-op' }, []],
  ] as const)('%s', (_name, kept, fields) => {
    expect(names(kept as unknown as Notes)).toEqual(fields);
  });
  test('another cause than a login is only worth another try once there is a machine', () => {
    expect(names({}, 'remote_refused')).toBeUndefined();
    expect(names({ machine: 'vm-1', powered: true, trust: 'x', depot: 'x' }, 'remote_timeout')).toEqual([]);
  });
});

test.each([
  ['queued', {}, [], 'queued'],
  ['running', {}, ['upload'], 'uploading'],
  ['running', {}, ['sync'], 'synchronising-depot'],
  ['failed', {}, [], 'failed'],
  ['failed', { machine: 'vm-1' }, [], 'partial-failure'],
  ['cancelled', { machine: 'vm-1' }, [], 'cancelled'],
  ['succeeded', { machine: 'vm-1', powered: true }, [], 'succeeded'],
  ['succeeded', { machine: 'vm-1', dns: 'Saved.', dns_saved: true }, [], 'succeeded'],
  ['succeeded', { machine: 'vm-1', dns: 'x', dns_saved: true, dns_whole: false }, [], 'succeeded-with-warnings'],
  ['succeeded', { machine: 'vm-1', dns: 'Nothing was saved.', dns_saved: false }, [], 'succeeded-with-warnings'],
] as const)('a job that is %s with %o stands as it is', (state, kept, running, said) => {
  const { request } = readDeployment(chosen(packageOf('vami')), typed());
  const tasks = running.map((name) => ({ name, state: 'running' }));
  const view = deploymentView({ state, tasks, input: request, kept } as unknown as EndedJob);
  expect(view.state).toBe(said);
  expect(view.vm_preserved).toBe('machine' in kept && (state === 'failed' || state === 'cancelled'));
});

test.each([
  [{}, 'off', ', switched off;'],
  [{ powering: true }, 'unknown', ' and may be switched on;'],
  [{ powering: true, powered: true }, 'on', ', switched on;'],
] as const)('a machine with %o is told as it is known: %s', (notes, power, words) => {
  const { request } = readDeployment(chosen(packageOf('vami')), typed());
  const kept = { machine: 'vm-1', ...notes };
  const view = deploymentView({ state: 'failed', tasks: [], input: request, kept } as unknown as EndedJob);
  expect(view.machine?.power).toBe(power);
  expect(machineText(request, kept)).toContain(words);
});

test('what is kept of the OVF says the same of addresses, and no secret, not even a default', () => {
  const { descriptor } = packageOf('vami');
  const properties = descriptor.properties.map((one) => (one.password ? { ...one, default: 'a-default-1' } : one));
  const { request } = readDeployment(chosen(packageOf('vami')), typed({}));
  const kept = keptDescriptor({ ...descriptor, properties }, request)!;
  expect(JSON.stringify(kept)).not.toContain('a-default-1');
  const secret_properties = properties.flatMap(({ key, password }) => (password ? [key] : []));
  expect(keptDescriptor({ ...descriptor, properties }, { ...request, secret_properties })!.whole).toBe(true);
  expect(kept.whole).toBe(false);
  expect(addressingIn(kept, request)).toEqual(addressingIn(descriptor, request));
  expect(addressingIn(kept, request).addresses).toHaveLength(1);
});

test.each([
  ['that the OVA does not have', ['hunter2-in-a-path']],
  ['more often than there are disks of it', ['d.vmdk', 'd.vmdk']],
])('a target that asks for a file %s gets nothing, and is not quoted', (_name, paths) => {
  const files = paths.map((path, n) => ({ device_id: `/vm/${n}`, path, size: null, create: false }));
  const ask = () => pairs(packageOf('vami'), files);
  expect(ask).toThrow(/^The target asks for /);
  expect(ask).not.toThrow(/hunter2/);
});
