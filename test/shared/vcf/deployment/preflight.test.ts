// What each check before a deployment says, over made inventories, answers and clocks.
import { describe, expect, test } from '@jest/globals';
import { parseCidr } from '../../../../shared/ground/addresses/address.ts';
import type { OvaPackage } from '../../../../shared/ground/ova/types.ts';
import { Problem } from '../../../../shared/ground/problems.ts';
import type { Answered } from '../../../../shared/services/dns-dhcp/dns-question.ts';
import type { Addressing } from '../../../../shared/vcf/deployment/addressing.ts';
import { checkInUse, checkNames } from '../../../../shared/vcf/deployment/checks/names.ts';
import { checkHost, checkName, checkSpace, neededBytes } from '../../../../shared/vcf/deployment/checks/placement.ts';
import { checkUploadHosts } from '../../../../shared/vcf/deployment/checks/reach.ts';
import { checkNtp } from '../../../../shared/vcf/deployment/checks/time.ts';
import { gateOf } from '../../../../shared/vcf/deployment/gate.ts';
import { Looks } from '../../../../shared/vcf/deployment/looks.ts';
import { requirePassed } from '../../../../shared/vcf/deployment/preflight.ts';
import type { DeploymentRequest } from '../../../../shared/vcf/deployment/request.ts';
import type { Inventory } from '../../../../shared/vcf/vsphere/inventory.ts';

const GIB = 2 ** 30;
const about = { name: 'VMware vCenter Server', vendor: 'V', version: '9.0.0', build: '1', instance_uuid: null };

function inventory(change: (made: Inventory) => void = () => undefined): Inventory {
  const host = (n: number) => ({
    id: `host-${n}`,
    name: `esx0${n}.lab.test`,
    port: 443,
    compute_id: 'domain-c1',
    connected: true,
    maintenance: false,
    version: '9.0.0',
    thumbprint: null,
    datastore_ids: ['datastore-1'],
    network_ids: ['network-1'],
  });
  const made: Inventory = {
    kind: 'vcenter',
    about,
    datacenters: [{ id: 'datacenter-1', name: 'DC' }],
    compute: [
      {
        id: 'domain-c1',
        name: 'Cluster',
        datacenter_id: 'datacenter-1',
        cluster: true,
        drs: true,
        pool_id: 'resgroup-1',
        host_ids: ['host-1', 'host-2'],
      },
    ],
    hosts: [host(1), host(2)],
    pools: [{ id: 'resgroup-1', name: 'Resources', path: '/', compute_id: 'domain-c1' }],
    datastores: [
      {
        id: 'datastore-1',
        name: 'vsan',
        datacenter_id: 'datacenter-1',
        type: 'VMFS',
        capacity_bytes: 1000 * GIB,
        free_bytes: 500 * GIB,
        accessible: true,
        host_ids: ['host-1', 'host-2'],
      },
    ],
    networks: [{ id: 'network-1', name: 'VM Network', datacenter_id: 'datacenter-1', host_ids: ['host-1', 'host-2'] }],
    folders: [{ id: 'group-v1', name: 'vm', path: '/', datacenter_id: 'datacenter-1' }],
    machines: [{ id: 'vm-1', name: 'Taken', datacenter_id: 'datacenter-1', power: 'on' }],
  };
  change(made);
  return made;
}

const request = (part: Partial<DeploymentRequest> = {}): DeploymentRequest => ({
  target: { host: 'vc01.lab.test', port: 443, address: '192.0.2.10', sha256: 'AA' },
  stored: null,
  ova: { file: 'a.ova', digest: 'd', size_bytes: 1 },
  name: 'sddc01',
  placement: {
    datacenter_id: 'datacenter-1',
    pool_id: 'resgroup-1',
    host_id: null,
    datastore_id: 'datastore-1',
    folder_id: null,
    networks: { 'Network 1': 'network-1' },
  },
  deployment_option: '',
  disk_provisioning: 'thin',
  properties: {},
  secret_properties: [],
  power_on: true,
  extras: { dns: false, trust: false, depot: false },
  place: 'vsan',
  ...part,
});

const pkg = {
  members: [{ name: 'd1.vmdk', offset: 0, size: 3 * GIB }],
  descriptor: {
    files: [{ id: 'file1', href: 'd1.vmdk', size: 3 * GIB, compression: null, chunk_size: null }],
    disks: [
      { disk_id: 'a', file_ref: 'file1', capacity_bytes: 600 * GIB, format: '', populated_bytes: 20 * GIB },
      { disk_id: 'b', file_ref: 'file1', capacity_bytes: 10 * GIB, format: '', populated_bytes: null },
      { disk_id: 'c', file_ref: null, capacity_bytes: 40 * GIB, format: '', populated_bytes: null },
    ],
  },
} as unknown as OvaPackage;

describe('the name of the machine', () => {
  test('is refused when the data center has it in another case', () => {
    expect(checkName(request({ name: 'tAKEN' }), inventory())).toMatchObject({ state: 'refused' });
  });
  test('may be that of a machine of another data center', () => {
    const elsewhere = inventory((made) => {
      made.machines[0]!.datacenter_id = 'datacenter-2';
    });
    expect(checkName(request({ name: 'Taken' }), elsewhere).state).toBe('ok');
  });
});

describe('free space', () => {
  test('thick takes the capacity of all disks, thin what is populated or at least packed', () => {
    expect(neededBytes(pkg, 'thick')).toBe(650 * GIB);
    expect(neededBytes(pkg, 'thin')).toBe(23 * GIB);
  });
  test.each([
    ['thick', 649 * GIB, 'refused'],
    ['thick', 650 * GIB, 'refused'],
    ['thick', 650 * GIB + 512 * 2 ** 20, 'ok'],
    ['thin', 23 * GIB, 'refused'],
    ['thin', 24 * GIB, 'warning'],
    ['thin', 700 * GIB, 'ok'],
  ] as const)('%s with %d bytes free: %s', (disk_provisioning, free_bytes, state) => {
    const made = inventory((each) => {
      each.datastores[0]!.free_bytes = free_bytes;
    });
    expect(checkSpace(request({ disk_provisioning }), made, pkg).state).toBe(state);
  });
  test('a datastore that is not accessible is refused', () => {
    const made = inventory((each) => {
      each.datastores[0]!.accessible = false;
    });
    expect(checkSpace(request(), made, pkg).state).toBe('refused');
  });
});

describe('the host', () => {
  const first = (part: Partial<Inventory['hosts'][number]>) => (made: Inventory) => {
    Object.assign(made.hosts[0]!, part);
  };
  const both = (part: Partial<Inventory['hosts'][number]>) => (made: Inventory) => {
    for (const host of made.hosts) Object.assign(host, part);
  };
  test.each([
    ['all of the cluster', () => undefined, null, 'ok'],
    ['one in maintenance', first({ maintenance: true }), null, 'warning'],
    ['one without the network', first({ network_ids: [] }), null, 'warning'],
    ['the chosen one in maintenance', first({ maintenance: true }), 'host-1', 'refused'],
    ['the chosen one not connected', first({ connected: false }), 'host-1', 'refused'],
    ['the chosen one without the datastore', first({ datastore_ids: [] }), 'host-1', 'refused'],
    ['the other one chosen', first({ maintenance: true }), 'host-2', 'ok'],
    ['none with the network', both({ network_ids: [] }), null, 'refused'],
    ['one of another pool', (made: Inventory) => made.compute[0]!.host_ids.shift(), 'host-1', 'refused'],
  ] as const)('%s: %#', (_name, change, host_id, state) => {
    const { placement } = request();
    const made = inventory(change as (made: Inventory) => void);
    expect(checkHost(request({ placement: { ...placement, host_id } }), made).state).toBe(state);
  });
});

/** With its questions, within an ordinary policy. */
const open = <Q>(questions: Q) => ({
  questions,
  looks: new Looks(),
  gate: gateOf({ own: [parseCidr('10.20.0.1/24')!], ports: [], allowed: [parseCidr('10.30.0.0/24')!] }),
});

const digestOf = (pair: string, bytes: number): string => Array.from({ length: bytes }, () => pair).join(':');

describe('upload hosts', () => {
  const failing = (...names: string[]) => {
    const asked: string[] = [];
    const tls = async ({ host }: { host: string }) => {
      asked.push(host);
      if (names.includes(host)) throw new Problem('remote_name_unknown', `${host} could not be resolved.`);
      return { sha256: '', address: '10.20.0.11' };
    };
    return { ...open({ tls }), asked };
  };
  test('each host that sees the datastore is looked at', async () => {
    expect((await checkUploadHosts(failing(), request(), inventory())).state).toBe('ok');
    const some = await checkUploadHosts(failing('esx01.lab.test'), request(), inventory());
    expect(some).toMatchObject({ state: 'warning', said: expect.stringContaining('esx01.lab.test') });
    const none = failing('esx01.lab.test', 'esx02.lab.test');
    expect((await checkUploadHosts(none, request(), inventory())).state).toBe('refused');
  });
  test('only the chosen one counts when one is chosen', async () => {
    const { placement } = request();
    const chosen = request({ placement: { ...placement, host_id: 'host-1' } });
    expect((await checkUploadHosts(failing('esx02.lab.test'), chosen, inventory())).state).toBe('ok');
    expect((await checkUploadHosts(failing('esx01.lab.test'), chosen, inventory())).state).toBe('refused');
  });
  const SHOWN = { sha1: digestOf('11', 20), sha256: digestOf('22', 32) };
  const showing = (looks = new Looks()) => ({
    ...open({ tls: async () => ({ ...SHOWN, address: '10.20.0.11' }) }),
    looks,
  });
  const knowing =
    (...thumbprints: (string | null)[]) =>
    (made: Inventory) => {
      for (const [n, thumbprint] of thumbprints.entries()) made.hosts[n]!.thumbprint = thumbprint;
    };
  const OTHER = digestOf('33', 20);
  test.each([
    ['SHA-1 of both', [SHOWN.sha1, SHOWN.sha1], 'ok', /speaks TLS with the certificate that vCenter names\.$/],
    ['SHA-256, without colons', [SHOWN.sha256.replaceAll(':', ''), SHOWN.sha256], 'ok', /that vCenter names\.$/],
    ['of one only', [SHOWN.sha1.toLowerCase(), null], 'ok', /names no certificate of esx02\.lab\.test: disks/],
    ['nothing', [null, ''], 'ok', /names no certificate of esx01\.lab\.test, esx02\.lab\.test: disks/],
    ['what is no thumbprint', ['AB:CD', SHOWN.sha1], 'ok', /names no certificate of esx01\.lab\.test: disks/],
    ['another one of one host', [OTHER, SHOWN.sha1], 'warning', /^esx01\.lab\.test: it shows .* SHA-1 11:.* one, 33:/],
    ['others of both', [OTHER, digestOf('44', 32)], 'warning', /SHA-1 11:.* one, 33:.*SHA-256 22:.* one, 44:/],
  ] as const)('what vCenter names: %s', async (_name, thumbprints, state, said) => {
    const scene = showing();
    const check = await checkUploadHosts(scene, request(), inventory(knowing(...thumbprints)));
    expect(check).toMatchObject({ state, said: expect.stringMatching(said) });
    expect(check.way_out.includes('reconnect it in vCenter')).toBe(state !== 'ok');
    // The lease of the import is believed before the inventory.
    expect(check.said.includes('unless the lease of the import names the one')).toBe(state !== 'ok');
    expect(scene.looks.said.upload_hosts!['esx01.lab.test']).toBe(state === 'ok' ? '10.20.0.11' : 'untrusted_host');
  });
  test('a digest that nobody could take is another one, and each fault has its way out', async () => {
    const scene = { ...failing('esx02.lab.test') };
    const check = await checkUploadHosts(scene, request(), inventory(knowing(OTHER)));
    expect(check).toMatchObject({ state: 'warning', way_out: expect.stringMatching(/reconnect it.*has to reach/) });
  });
  const many = (count: number) => (made: Inventory) => {
    made.hosts = Array.from({ length: count }, (_, n) => ({
      ...made.hosts[0]!,
      ...{ id: `host-${n + 1}`, name: `esx${n + 1}.lab.test` },
    }));
    made.compute[0]!.host_ids = made.hosts.map(({ id }) => id);
  };
  test('of many that the cluster chooses from, four are looked at, counted before, and recorded', async () => {
    const scene = failing('esx2.lab.test');
    const counted: string[] = [];
    const looks = new Looks((servers) => counted.push(`${scene.asked.length}: ${servers.join(' ')}`));
    const check = await checkUploadHosts({ ...scene, looks }, request(), inventory(many(16)));
    expect(check).toMatchObject({ state: 'warning', said: expect.stringContaining('12 more were not looked at.') });
    expect(counted).toEqual(['0: esx1.lab.test esx2.lab.test esx3.lab.test esx4.lab.test']);
    expect(looks.said).toEqual({
      upload_hosts: {
        ...{ 'esx1.lab.test': '10.20.0.11', 'esx2.lab.test': 'remote_name_unknown' },
        ...{ 'esx3.lab.test': '10.20.0.11', 'esx4.lab.test': '10.20.0.11' },
      },
    });
  });
  test('none is looked at when they are too many for whoever asks', async () => {
    const scene = failing();
    const looks = new Looks(() => {
      throw new Problem('too_many_attempts', 'Later.');
    });
    const asked = checkUploadHosts({ ...scene, looks }, request(), inventory());
    await expect(asked).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(scene.asked).toEqual([]);
  });
  test.each([
    ['esx01.lab.test', 22, 'warning', []],
    ['10.20.0.11', 22, 'warning', []],
    ['10.30.0.11', 8443, 'ok', ['10.30.0.11']],
    ['10.20.0.11', 443, 'ok', ['10.20.0.11']],
    ['user@elsewhere/?', 443, 'refused', []],
  ] as const)('%s at port %d: %s', async (name, port, state, asked) => {
    const { placement } = request();
    const chosen = request({ placement: { ...placement, host_id: 'host-1' } });
    const scene = failing();
    const made = inventory(({ hosts }) => void Object.assign(hosts[0]!, { name, port }));
    expect([(await checkUploadHosts(scene, chosen, made)).state, scene.asked]).toEqual([state, asked]);
  });
});

const addressing: Addressing = {
  fqdn: 'sddc01.lab.test',
  addresses: [{ key: 'ip0', family: 4, address: '10.20.0.15' }],
  name_servers: ['10.20.0.2'],
  ntp_servers: ['10.20.0.3', 'ntp.lab.test'],
  local_password_key: null,
};
const REVERSE = '15.0.20.10.in-addr.arpa';

function answering(answers: Record<string, string[]> | null) {
  return open({
    inUse: async () => [],
    dns: async (server: string, questions: readonly string[]): Promise<Answered[]> =>
      questions.map((question) => ({
        server,
        question,
        rcode: answers ? (answers[question] ? 'NOERROR' : 'NXDOMAIN') : null,
        answers: answers?.[question] ?? [],
        error: answers ? null : 'no answer in time',
      })),
  });
}

describe('DNS as the new machine will see it', () => {
  const right = { 'sddc01.lab.test/A': ['10.20.0.15'], [`${REVERSE}/PTR`]: ['SDDC01.lab.test'] };
  test.each([
    ['both ways', right, false, 'ok'],
    ['no forward', { [`${REVERSE}/PTR`]: ['sddc01.lab.test'] }, false, 'refused'],
    ['no reverse', { 'sddc01.lab.test/A': ['10.20.0.15'] }, false, 'refused'],
    ['another address', { ...right, 'sddc01.lab.test/A': ['10.20.0.16'] }, false, 'refused'],
    ['two addresses', { ...right, 'sddc01.lab.test/A': ['10.20.0.15', '10.20.0.16'] }, false, 'refused'],
    ['another name', { ...right, [`${REVERSE}/PTR`]: ['old.lab.test'] }, false, 'refused'],
    ['nothing, and it saves the records', {}, true, 'warning'],
    ['another address, and it saves the records', { ...right, 'sddc01.lab.test/A': ['10.20.0.16'] }, true, 'refused'],
    ['silence', null, false, 'warning'],
  ] as const)('%s', async (_name, answers, saves, state) => {
    const [check] = await checkNames(answering(answers as Record<string, string[]> | null), addressing, saves);
    expect(check).toMatchObject({ state, title: 'Name and addresses in DNS' });
    expect(check!.way_out.includes('only once the machine runs')).toBe(saves && state === 'warning');
  });
  test('each name server is judged for itself', async () => {
    const checks = await checkNames(
      answering(right),
      { ...addressing, name_servers: ['10.20.0.2', '10.20.0.4'] },
      false,
    );
    expect(checks.map(({ id }) => id)).toEqual(['dns 10.20.0.2', 'dns 10.20.0.4']);
  });
  test.each([{ fqdn: null }, { addresses: [] }, { name_servers: [] }])(
    'what is not said is a warning: %o',
    async (part) => {
      const checks = await checkNames(answering(right), { ...addressing, ...part }, false);
      expect(checks.map(({ state }) => state)).toEqual(['warning']);
    },
  );
  test('an address that answers already is refused', async () => {
    const inUse = async () => [{ address: '10.20.0.15', said: 'it answers' }];
    const used = open({ dns: answering(null).questions.dns, inUse });
    expect((await checkInUse(used, addressing))[0]).toMatchObject({ state: 'refused' });
  });
});

describe('nothing is asked where no target may be', () => {
  const scene = () => {
    const asked: string[] = [];
    const dns = async (server: string) => {
      asked.push(server);
      return [];
    };
    const inUse = async (addresses: readonly string[]) => {
      asked.push(...addresses);
      return [];
    };
    const time = async (servers: readonly string[]) => {
      asked.push(...servers);
      return [];
    };
    return { ...open({ dns, inUse, time }), asked };
  };
  const at = (address: string): Addressing => ({
    ...addressing,
    ...{ addresses: [{ key: 'ip0', family: 4, address }], name_servers: [address], ntp_servers: [address] },
  });
  test.each(['169.254.169.254', '127.0.0.1', '224.0.0.1', '255.255.255.255', '0.0.0.0', '168.63.129.16'])(
    '%s',
    async (address) => {
      const made = scene();
      const checks = [
        ...(await checkNames(made, at(address), false)),
        ...(await checkInUse(made, at(address))),
        ...(await checkNtp(made, at(address))),
      ];
      expect(checks.map(({ state, said }) => [state, said.includes('No connection is made to')])).toEqual(
        Array.from({ length: 3 }, () => ['warning', true]),
      );
      expect([made.asked, made.looks.said]).toEqual([[], {}]);
    },
  );
  test('services of this appliance may be asked, but no other machine gets its address', async () => {
    const made = scene();
    await checkNames(made, at('10.20.0.1'), false);
    await checkNtp(made, at('10.20.0.1'));
    expect(made.asked).toEqual(['10.20.0.1', '10.20.0.1']);
    expect(await checkInUse(made, at('10.20.0.1'))).toMatchObject([{ state: 'refused' }]);
    expect(made.asked).toHaveLength(2);
    expect(made.looks.said).toEqual({ name_servers: ['10.20.0.1'], time_servers: ['10.20.0.1'] });
  });
  test('what is asked is recorded', async () => {
    const made = scene();
    await checkInUse(made, at('10.20.0.15'));
    expect(made.looks.said).toEqual({ addresses: ['10.20.0.15'] });
  });
});

test('refused checks are blockers of one refusal, warnings are none', () => {
  const check = { id: 'a', title: 'Name', said: 'taken', way_out: 'Choose another.' };
  const warned = { checks: [{ ...check, state: 'warning' as const }], passed: true };
  expect(() => requirePassed(warned, '/page')).not.toThrow();
  const failed = { checks: [{ ...check, state: 'refused' as const }, warned.checks[0]!], passed: false };
  const blockers = [{ subject: 'Name', reason: 'taken', page: '/page', unblock: 'Choose another.' }];
  expect(() => requirePassed(failed, '/page')).toThrow(
    expect.objectContaining({ code: 'preflight_refused', members: { blockers } }),
  );
});
