// Storage as data: the files of both servers and the guard that lets them pass, what hosts know an export by, and what a change
// means.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { ExecResult, Host } from '../../../../shared/ground/machine/host.ts';
import { differences } from '../../../../shared/platform/units/facts.ts';
import { activate } from '../../../../shared/services/storage/activate.ts';
import { actionFor } from '../../../../shared/services/storage/cheapest.ts';
import { check, desiredFaults } from '../../../../shared/services/storage/check.ts';
import { type StorageDesired, servedIn } from '../../../../shared/services/storage/desired.ts';
import { exportIds, fsidOf } from '../../../../shared/services/storage/export-ids.ts';
import { facts, follows } from '../../../../shared/services/storage/facts.ts';
import {
  EXPORTS_FILE,
  GANESHA_FILE,
  mountFile,
  mountUnit,
  NFS_FILE,
} from '../../../../shared/services/storage/files.ts';
import { impact } from '../../../../shared/services/storage/impact.ts';
import { render } from '../../../../shared/services/storage/render.ts';
import { storageUnit } from '../../../../shared/services/storage/unit.ts';
import { change, desired, LAB, same, textOf, VOLUME } from './scene.ts';

describe('the files of the kernel’s server', () => {
  test('a line a datastore, an own address that may only look, and a guard against a disk that is away', () => {
    const options = `sec=sys,fsid=${fsidOf('ds_0')},mountpoint=/srv/datastores/v-1`;
    const own = `10.0.0.5/32(ro,insecure,sync,no_subtree_check,all_squash,${options})`;
    const client = `10.0.0.0/24(rw,sync,no_subtree_check,no_root_squash,${options})`;
    expect(textOf(desired({}), EXPORTS_FILE)).toBe(`/srv/datastores/v-1/lab ${own} ${client}\n`);
  });

  test('all addresses in one line, versions 4.0 and 4.2 never, version 3 only where it is asked', () => {
    const four = textOf(
      desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'] }),
      NFS_FILE,
    )!;
    expect(four).toContain('host=10.0.0.5,fd00::5\n');
    expect(four).toMatch(/vers3=n\nvers4=y\nvers4\.0=n\nvers4\.1=y\nvers4\.2=n/);
    expect(textOf(desired({}, { path: 'b', version: '3' }), NFS_FILE)).toContain('vers3=y');
    expect(four).toContain('[lockd]\nport=32803\nudp-port=32803');
  });

  test('a mount for each volume, by the name that systemd wants', () => {
    expect(mountUnit('/srv/datastores/v-1')).toBe('srv-datastores-v\\x2d1.mount');
    expect(textOf(desired(), mountFile(VOLUME.mount_path))).toContain(
      `What=${VOLUME.device}\nWhere=/srv/datastores/v-1\n`,
    );
  });
});

describe('the file of NFS-Ganesha', () => {
  test('each datastore in its version alone, at the path that hosts of the kernel’s server mount, too', () => {
    const text = textOf(desired({}, { path: 'three', version: '3' }), GANESHA_FILE, 'namespace')!;
    const { 1: lab, 2: three } = text.split('EXPORT {');
    expect(lab).toContain('Pseudo = /srv/datastores/v-1/lab;\n  Protocols = 4;');
    expect(three).toContain('Pseudo = /srv/datastores/v-1/three;\n  Protocols = 3;');
    expect(text).toContain('Protocols = 3, 4;');
    expect(textOf(desired({}), GANESHA_FILE, 'namespace')).not.toMatch(/Protocols = .*3/);
  });

  test('an own address is nobody’s account', () => {
    expect(textOf(desired({}), GANESHA_FILE, 'namespace')).toContain(
      'Clients = 10.0.0.5/32; Access_Type = RO; Squash = All_Squash; }',
    );
  });

  test('everybody is both halves of all addresses', () => {
    const text = textOf(desired({ clients: ['0.0.0.0/0'] }), GANESHA_FILE, 'namespace')!;
    expect(text.match(/Clients = \S+; Access_Type = RW/g)).toEqual([
      'Clients = 0.0.0.0/1; Access_Type = RW',
      'Clients = 128.0.0.0/1; Access_Type = RW',
    ]);
  });
});

describe('who may mount', () => {
  const all = ['10.0.0.5', 'fd00::5'];

  test.each([
    ['nobody without clients', ['ipv4', 'ipv6'], [], [], [], []],
    ['a family that is not chosen', ['ipv4'], ['10.0.0.0/24'], ['any'], ['10.0.0.5'], ['10.0.0.0/24']],
    ['a family without clients', ['ipv4', 'ipv6'], [], ['fd00::/64'], ['fd00::5'], ['fd00::/64']],
    ['everybody over one family', ['ipv4', 'ipv6'], ['any'], [], ['10.0.0.5'], ['0.0.0.0/0']],
  ])('%s', (_what, families, ipv4, ipv6, addresses, clients) => {
    expect(servedIn(all, families, { ipv4, ipv6 })).toEqual({ addresses, clients, unserved: [] });
  });

  test('a family with clients and without an address is told', () => {
    const served = servedIn(['10.0.0.5'], ['ipv6'], { ipv4: [], ipv6: ['any'] });
    expect(served).toEqual({ addresses: [], clients: [], unserved: ['ipv6'] });
    expect(desiredFaults(desired(served))).toEqual([
      `Interface ens192 has no fixed IPv6 address to serve the datastore ${LAB.name} at.`,
    ]);
  });

  test('a datastore for nobody is in no file', () => {
    for (const kind of ['system', 'namespace'] as const) {
      const paths = render(desired({ clients: [], addresses: [] }), same, kind).map(({ path }) => path);
      expect(paths).toEqual(kind === 'system' ? [mountFile(VOLUME.mount_path)] : []);
    }
  });

  test('while storage is off, there are no files', () => {
    const off = { ...desired({}), settings: { enabled: false, hostname: '' } };
    expect([render(off, same, 'system'), render(off, same, 'namespace')]).toEqual([[], []]);
  });
});

describe('what hosts know an export by', () => {
  test('is the same for the same row, and for no two', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 300 }), (ids) => {
        expect(new Set(ids.map(fsidOf)).size).toBe(ids.length);
        const numbers = exportIds(ids);
        expect(new Set(numbers.values()).size).toBe(ids.length);
        for (const number of numbers.values()) expect(number >= 1 && number <= 65_535).toBe(true);
        expect(exportIds(ids.toReversed())).toEqual(numbers);
      }),
    );
    expect(fsidOf('ds_h7k2m9p4q6r8s3t5')).toBe('3af7d868-4b5c-816d-bfa9-3fff76d85f6e');
  });

  test('no name, path, address or client changes it', () => {
    const fsids = (state: StorageDesired) => textOf(state, EXPORTS_FILE)!.match(/fsid=[^,]+/g)![0];
    expect(fsids(desired({ path: 'other', name: 'x', clients: ['::/0'], version: '3' }))).toBe(fsids(desired({})));
  });
});

describe('the guard', () => {
  const network = fc.oneof(
    fc.tuple(fc.ipV4(), fc.nat(32)).map(([address, bits]) => `${address}/${bits}`),
    fc.tuple(fc.ipV6(), fc.nat(128)).map(([address, bits]) => `${address.toLowerCase()}/${bits}`),
  );
  const part = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,20}$/);
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((text) => text.toLowerCase()),
  );
  const anyDatastore = fc.record({
    id: fc.string({ minLength: 1, maxLength: 20 }),
    name: fc.string(),
    mount_path: part.map((name) => `/srv/datastores/${name}`),
    path: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    version: fc.constantFrom('3' as const, '4.1' as const),
    addresses: fc.uniqueArray(address, { minLength: 1, maxLength: 4 }),
    clients: fc.uniqueArray(network, { maxLength: 128 }),
  });
  const refusals = (state: StorageDesired) =>
    (['system', 'namespace'] as const).flatMap((kind) =>
      render(state, same, kind).flatMap((file) => GUARD.fileRefusal(file) ?? []),
    );

  test('lets every file pass that is rendered', () => {
    fc.assert(
      fc.property(fc.array(anyDatastore, { maxLength: 6 }), (datastores) => {
        expect(refusals(desired(...datastores))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('and none with a path or network that is more than one', () => {
    const bad = ['a b', 'a(rw)', 'a\nb', '../a', 'a/../..', 'a;', 'a"b', 'a#', '{', 'a/./b', '', 'é'];
    for (const path of bad) expect([path, refusals(desired({ path })).length]).toEqual([path, 2]);
    for (const client of ['*', '10.0.0.0/33', '@hosts', '10.0.0.0/24(rw)', '10.0.0.0/24; }', ' ', 'host.lab.test'])
      expect([client, refusals(desired({ clients: [client] })).length]).toEqual([client, 2]);
    for (const device of [
      '/dev/sda',
      '/dev/disk/by-id/../../sda',
      '/dev/disk/by-id/a b',
      '/dev/disk/by-id/a\nOptions=dev',
      '/dev/disk/by-id/ata-1-part2',
      '/dev/disk/by-id/dm-name-root',
    ])
      expect(refusals({ ...desired(), volumes: [{ ...VOLUME, device }] }).length).toBe(1);
  });

  test('any text as a path is refused, or stays one folder below that of all datastores', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (path) => {
        const state = desired({ path });
        if (GUARD.fileRefusal(render(state, same).find((file) => file.path === EXPORTS_FILE)!) !== null) return;
        const lines = textOf(state, EXPORTS_FILE)!.trimEnd().split('\n');
        expect(lines).toHaveLength(1);
        expect(lines[0]!.split(' ')[0]).toBe(`/srv/datastores/v-1/${path}`);
      }),
    );
  });

  test.each([
    ['an export without clients', EXPORTS_FILE, '/srv/datastores/v/a'],
    [
      'an export to everybody by name',
      EXPORTS_FILE,
      `/srv/datastores/v/a *(rw,sync,no_subtree_check,no_root_squash,sec=sys,fsid=${fsidOf('a')},mountpoint=/srv/datastores/v)`,
    ],
    [
      'an export of the root',
      EXPORTS_FILE,
      `/ 10.0.0.0/24(rw,sync,no_subtree_check,no_root_squash,sec=sys,fsid=${fsidOf('a')},mountpoint=/)`,
    ],
    [
      'an export whose guard is another volume',
      EXPORTS_FILE,
      `/srv/datastores/v/a 10.0.0.0/24(rw,sync,no_subtree_check,no_root_squash,sec=sys,fsid=${fsidOf('a')},mountpoint=/srv/datastores/w)`,
    ],
    [
      'an own address that is root',
      EXPORTS_FILE,
      `/srv/datastores/v/a 10.0.0.5/32(ro,insecure,sync,no_subtree_check,no_root_squash,sec=sys,fsid=${fsidOf('a')},mountpoint=/srv/datastores/v)`,
    ],
    ['an own address that is root in Ganesha', GANESHA_FILE, '  CLIENT { Clients = 10.0.0.5/32; Access_Type = RO; }'],
    ['a root of all exports', EXPORTS_FILE, '/srv/datastores/v/a 10.0.0.0/24(rw,fsid=0)'],
    ['version 4.0', NFS_FILE, 'vers4.0=y'],
    ['UDP', NFS_FILE, 'udp=y'],
    ['two addresses with a blank', NFS_FILE, 'host=10.0.0.5, 10.0.0.6'],
    ['a mount elsewhere', mountFile('/srv/datastores/v'), 'Where=/etc'],
    ['devices on a volume', mountFile('/srv/datastores/v'), 'Options=nofail'],
    ['an include', GANESHA_FILE, '%include "/etc/shadow"'],
    ['an export of the root', GANESHA_FILE, '  Pseudo = /;'],
    ['an own default', GANESHA_FILE, '  Access_Type = RW;'],
  ])('refuses %s', (_what, path, line) => {
    expect(GUARD.fileRefusal({ path, content: `${line}\n` })).toMatch(/line 1/);
  });

  test('runs programs for mounts and exports of ours alone', () => {
    const permitted: [string, string[]][] = [
      ['systemctl', ['daemon-reload']],
      ['systemctl', ['reload', 'nfs-server.service']],
      ['systemctl', ['enable', '--now', mountFile('/srv/datastores/v-1')]],
      ['systemctl', ['stop', mountUnit('/srv/datastores/v-1')]],
      ['systemctl', ['disable', mountUnit('/srv/datastores/v-1')]],
      ['systemctl', ['is-active', '--quiet', mountUnit('/srv/datastores/v')]],
    ];
    for (const [program, args] of permitted) expect(GUARD.programRefusal(program, args)).toBeNull();
    const refused: [string, string[]][] = [
      ['exportfs', ['-o', 'rw', '*:/']],
      ['systemctl', ['stop', 'groundcrew.service']],
      ['systemctl', ['enable', '--now', '/tmp/srv-datastores-a.mount']],
      ['systemctl', ['enable', '--now', '/etc/groundcrew/storage/mounts/../x.mount']],
      ['systemctl', ['enable', '--now', mountFile('/srv/datastores/a'), 'ssh.service']],
      ['systemctl', ['disable', 'srv-datastores-a.mount/../x']],
      ['systemctl', ['reload', 'ssh.service']],
      ['install', ['-d', '-m', '0755', '/srv/datastores/v/a']],
      ['install', ['-m', '4755', '/srv/datastores/v/a', '/srv/datastores/v/b']],
      ['mkfs.xfs', ['/dev/sda']],
    ];
    for (const [program, args] of refused)
      expect([args, GUARD.programRefusal(program, args)]).toEqual([args, expect.any(String)]);
  });
});

describe('the cheapest way', () => {
  const start = desired({});
  const action = (after: StorageDesired, kind: 'system' | 'namespace') =>
    actionFor(after.settings.enabled && after.datastores.length > 0, true, change(start, after, kind));

  test.each([
    ['another client', desired({ clients: ['10.1.0.0/24'] }), 'reload', 'reload'],
    ['one more datastore', desired({}, { path: 'b' }), 'reload', 'reload'],
    ['another path', desired({ path: 'b' }), 'restart', 'reload'],
    ['another address', desired({ addresses: ['10.0.0.6'] }), 'reload', 'restart'],
    ['another version', desired({ version: '3' }), 'restart', 'restart'],
    ['another name', desired({ name: 'b' }), 'none', 'none'],
    ['nothing left', desired(), 'stop', 'stop'],
  ] as const)('%s', (_what, after, ganesha, kernel) => {
    expect([action(after, 'namespace'), action(after, 'system')]).toEqual([ganesha, kernel]);
  });
});

describe('the kernel’s server on the appliance', () => {
  let volumes: string;
  beforeEach(() => {
    volumes = mkdtempSync(join(tmpdir(), 'groundcrew-volumes-'));
    mkdirSync(join(volumes, VOLUME.mount_path), { recursive: true });
  });
  afterEach(() => rmSync(volumes, { recursive: true, force: true }));

  function machine(answers: (line: string) => number = () => 0, running = false) {
    const ran: string[] = [];
    const exec = async (program: string, args: string[]): Promise<ExecResult> => {
      const line = [program, ...args].join(' ');
      // What the root step would not run must not be run.
      const refusal = GUARD.programRefusal(program, args);
      ran.push(refusal ?? line);
      return { code: answers(line), stdout: '', stderr: '' };
    };
    const told = (verb: string) => async (daemon: { systemd: string }) => void ran.push(`${verb} ${daemon.systemd}`);
    const host = {
      kind: 'system',
      enforces: true,
      resolve: (path: string) => (path.startsWith('/srv/') ? join(volumes, path) : path),
      exec,
      daemonRunning: async () => running,
      startDaemon: told('start'),
      stopDaemon: told('stop'),
    } as unknown as Host;
    return { host, ran };
  }
  const ACTIVE = `systemctl is-active --quiet ${mountUnit(VOLUME.mount_path)}`;
  const STOPPED = `systemctl stop ${mountUnit(VOLUME.mount_path)}`;
  const GONE = [ACTIVE, STOPPED, `systemctl disable ${mountUnit(VOLUME.mount_path)}`, 'systemctl daemon-reload'];
  const MOUNTED = `systemctl enable --now ${mountFile(VOLUME.mount_path)}`;

  test('mounts, makes the folder on the volume, and starts', async () => {
    const { host, ran } = machine();
    await activate(host, desired({}), change(storageUnit.nothing!, desired({})));
    expect(ran).toEqual(['systemctl daemon-reload', ACTIVE, MOUNTED, ACTIVE, 'start nfs-server.service']);
    expect(statSync(host.resolve('/srv/datastores/v-1/lab')).mode & 0o7777).toBe(0o755);
  });

  test('a disk that is away: no folder is made on the appliance’s own disk, and the others are served', async () => {
    const { host, ran } = machine((line) => (line.includes('is-active') || line === MOUNTED ? 1 : 0));
    const said = await activate(host, desired({}), change(storageUnit.nothing!, desired({})));
    expect(said).toMatch(/Not mounted: v-1, whose disk is away\./);
    expect(readdirSync(host.resolve('/srv/datastores/v-1'))).toEqual([]);
    expect(ran.at(-1)).toBe('start nfs-server.service');
  });

  test('what is exported ends before its volume is unmounted', async () => {
    const { host, ran } = machine(() => 0, true);
    const nothing = { ...desired(), volumes: [] };
    await activate(host, nothing, change(desired({}), nothing));
    expect(ran).toEqual(['stop nfs-server.service', ...GONE]);
  });

  test('on the way back, a volume that had been mounted is unmounted', async () => {
    const { host, ran } = machine();
    const made = change(storageUnit.nothing!, desired({}));
    await activate(host, storageUnit.nothing!, { ...made, before: made.after, after: made.before! });
    expect(ran).toEqual(GONE);
  });

  test('on the way back, a volume whose mount had been taken is mounted, and stays', async () => {
    const { host, ran } = machine();
    const made = change(desired({}), { ...desired(), volumes: [] });
    await activate(host, desired({}), { ...made, before: made.after, after: made.before! });
    expect(ran).toContain(MOUNTED);
    expect(ran).not.toContain(STOPPED);
    expect(ran.at(-1)).toBe('start nfs-server.service');
  });

  test('a volume that is in use stays mounted, which is said, and nothing fails', async () => {
    const { host, ran } = machine((line) => (line === STOPPED ? 1 : 0), true);
    const nothing = { ...desired(), volumes: [] };
    expect(await activate(host, nothing, change(desired({}), nothing))).toMatch(
      /Still mounted, since it is in use: srv-/,
    );
    expect(ran).toEqual(['stop nfs-server.service', ...GONE]);
  });

  test('a volume that was never mounted is not stopped', async () => {
    const { host, ran } = machine((line) => (line === ACTIVE ? 3 : 0));
    const nothing = { ...desired(), volumes: [] };
    expect(await activate(host, nothing, change(desired(), nothing))).not.toMatch(/Still mounted/);
    expect(ran).not.toContain(STOPPED);
  });

  test('a disk that is back is exported again', async () => {
    const { host, ran } = machine((line) => (line === ACTIVE ? 3 : 0), true);
    await activate(host, desired({}), change(desired({}), desired({})));
    expect(ran.at(-1)).toBe('systemctl reload nfs-server.service');
  });

  test('a reload that fails is a failure', async () => {
    const { host } = machine((line) => (line === 'systemctl reload nfs-server.service' ? 1 : 0), true);
    const after = desired({ clients: ['10.1.0.0/24'] });
    await expect(activate(host, after, change(desired({}), after))).rejects.toThrow(/systemctl reload/);
  });

  test('a rehearsal runs nothing', async () => {
    const { host, ran } = machine();
    expect(await activate({ ...host, enforces: false }, desired({}), change(desired(), desired({})))).toMatch(
      /Rehearsal/,
    );
    expect((await check({ ...host, enforces: false }, desired({}))).faults).toEqual([]);
    expect(ran).toEqual([]);
  });
});

describe('what a change means', () => {
  const means = (before: StorageDesired, after: StorageDesired) => impact(change(before, after));

  test.each([
    ['a datastore that goes', desired({}), desired(), 'high', /is not exported any more: hosts/],
    ['clients that go', desired({}), desired({ clients: ['10.1.0.0/24'] }), 'high', /not for 10\.0\.0\.0\/24 any more/],
    [
      'clients that come',
      desired({}),
      desired({ clients: ['10.0.0.0/24', '::/0'] }),
      'low',
      /also for everybody over IPv6/,
    ],
    ['an address that goes', desired({}), desired({ addresses: ['10.0.0.6'] }), 'high', /not answer at 10\.0\.0\.5/],
    ['another version', desired({}), desired({ version: '3' }), 'high', /mount it anew/],
    ['a datastore that comes', desired(), desired({}), 'low', /is exported: \/srv\/datastores\/v-1\/lab/],
  ] as const)('%s', (_what, before, after, risk, says) => {
    const told = means(before, after);
    expect(told.risk).toBe(risk);
    expect(told.says.join('\n')).toMatch(says);
  });

  test('a restart stalls, a reload does not', () => {
    expect(means(desired({}), desired({ version: '3' })).interruption).toMatch(/stalls/);
    expect(means(desired({}), desired({}, { path: 'b' })).interruption).toBe('none');
    expect(means(desired({}), desired()).interruption).toMatch(/end/);
  });

  test('another disk at the place of one stalls every host, and is told', () => {
    const swapped = { ...desired({}), volumes: [{ ...VOLUME, device: '/dev/disk/by-id/scsi-2' }] };
    expect(means(desired({}), swapped)).toMatchObject({
      risk: 'high',
      interruption: expect.stringMatching(/stalls/),
      says: [expect.stringMatching(/Volume v-1 becomes another disk, \/dev\/disk\/by-id\/scsi-2/)],
    });
  });

  test('an address that moves with its interface follows the network, and nothing else does', () => {
    const of = (before: StorageDesired, after: StorageDesired) =>
      [...differences(facts(before), facts(after))].map((each) => follows(each));
    expect(of(desired({}), desired({ addresses: ['10.0.0.6'] }))).toEqual([true]);
    expect(of(desired({}), desired({ addresses: ['10.0.0.6'], clients: ['::/0'] }))).toEqual([false]);
    expect(of(desired({}), desired())).toEqual([false]);
  });
});
