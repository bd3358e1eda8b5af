// Who uses datastores, by what the kernel and its NFS server tell, and whom a change cuts off.
import { describe, expect, test } from '@jest/globals';
import { GUARD } from '../../../../shared/appliance/host-guard.ts';
import type { Host } from '../../../../shared/ground/machine/host.ts';
import { QUESTIONS } from '../../../../shared/platform/host/system-questions.ts';
import { cuts } from '../../../../shared/services/storage/cuts.ts';
import { facts, storage } from '../../../../shared/services/storage/facts.ts';
import { mountingHosts } from '../../../../shared/services/storage/mounted-by.ts';
import {
  connectionsIn,
  knownIn,
  mountsIn3,
  type Sightings,
  sightings,
} from '../../../../shared/services/storage/server-sightings.ts';
import { change, desired } from './scene.ts';

/** As the kernel of a little machine prints them: 10.0.0.5:2049 from 10.0.0.50, fd00::5 from fd00::50, and others. */
const TABLES = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0500000A:0801 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0500000A:0801 3200000A:0399 01 00000000:00000000 00:00000000 00000000     0        0 2 1
   2: 0500000A:0801 3200000A:0400 01 00000000:00000000 00:00000000 00000000     0        0 3 1
   3: 0500000A:01BB 3300000A:0399 01 00000000:00000000 00:00000000 00000000     0        0 4 1
  sl  local_address                         remote_address                        st tx_queue
   0: 000000FD000000000000000005000000:0801 000000FD000000000000000050000000:0399 01 00000000:00000000
   1: 0000000000000000FFFF00000500000A:0801 0000000000000000FFFF00003400000A:0399 01 00000000:00000000
`;
const file = (number: number, name: string, text: string): string =>
  text
    .split('\n')
    .map((line) => `/run/groundcrew/nfsd/clients/${number}/${name}:${line}`)
    .join('\n');
const INFO = [
  file(
    3,
    'info',
    `clientid: 0x5d1e7d2b64a3a5c1
address: "10.0.0.50:921"
status: confirmed
seconds from last renew: 12
name: "Linux NFSv4.1 esx-1"
minor version: 1
Implementation domain: "kernel.org"
Implementation name: "Linux 6.1.0\u0007é"
Implementation time: [0, 0]`,
  ),
  file(4, 'info', 'clientid: 0x1\naddress: "[fd00::0:50]:700"\nseconds from last renew: 400\nminor version: 1'),
  file(5, 'info', 'clientid: 0x2\naddress: "nonsense"'),
].join('\n');
const STATES = file(
  3,
  'states',
  `- 0x01: { type: open, access: rw, deny: --, superblock: "fe:10:133", filename: "lab/a", owner: "open id:x" }
- 0x02: { type: lock, superblock: "fe:10:133", filename: "lab/a", owner: "lock id:x" }
- 0x03: { type: open, access: r-, deny: --, superblock: "fe:10:134", filename: "lab/b", owner: "open id:y" }`,
);

const LAB = desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'] });
const known = (address: string, renewed_seconds = 5) => ({ address, program: '', renewed_seconds, open_files: 0 });
const seen = (more: Partial<Sightings> = {}): Sightings => ({ connections: [], known: [], mounts: [], ...more });
const hostsOf = (state: typeof LAB, sighted: Sightings) =>
  mountingHosts([...storage.all(facts(state), 'datastore')], sighted);

describe('what is read', () => {
  test('connections to the port of NFS, each pair once, over either family', () => {
    expect(connectionsIn(TABLES)).toEqual([
      { at: '10.0.0.5', from: '10.0.0.50' },
      { at: 'fd00::5', from: 'fd00::50' },
      { at: '10.0.0.5', from: '10.0.0.52' },
    ]);
  });

  test('clients of NFS 4.1, with what they say of themselves cut to plain text', () => {
    expect(knownIn(INFO, STATES)).toEqual([
      { address: '10.0.0.50', program: 'Linux 6.1.0', renewed_seconds: 12, open_files: 2 },
      { address: 'fd00::50', program: '', renewed_seconds: 400, open_files: 0 },
    ]);
  });

  test('mounts of NFS 3', () => {
    expect(mountsIn3('10.0.0.60:/srv/datastores/v-1/lab:0x00000001\nname:/x:0x1\nfd00::6:/srv/a:0x00000002\n')).toEqual(
      [
        { address: '10.0.0.60', path: '/srv/datastores/v-1/lab' },
        { address: 'fd00::6', path: '/srv/a' },
      ],
    );
  });

  test('root reads two files of the kernel’s for it, and nothing else', () => {
    for (const name of ['nfs-clients', 'nfs-states']) {
      const { program, args } = QUESTIONS[name]!;
      expect(GUARD.programRefusal(program, args)).toBeNull();
    }
    for (const args of [
      ['-r', '-H', '--include=ctl', '', '/run/groundcrew/nfsd/clients'],
      ['-r', '-H', '--include=info', '', '/etc'],
      ['-r', '', '/etc/shadow'],
    ])
      expect(GUARD.programRefusal('grep', args)).not.toBeNull();
  });

  test('what can’t be read is not told, and in a rehearsal nothing is asked', async () => {
    const host = (answers: (program: string) => { code: number; stdout: string }, more: object = {}) =>
      ({
        kind: 'system',
        enforces: true,
        exec: async (program: string) => ({ stderr: '', ...answers(program) }),
        ...more,
      }) as unknown as Host;
    const broken = await sightings(host(() => ({ code: 126, stdout: '' })));
    expect(broken).toEqual({ connections: [], known: null, mounts: [] });
    const nobody = await sightings(host((program) => ({ code: program === 'grep' ? 1 : 0, stdout: '' })));
    expect(nobody.known).toEqual([]);
    const refuses = () => {
      throw new Error('asked');
    };
    expect((await sightings(host(refuses, { enforces: false }))).known).toBeNull();
    const ganesha = await sightings(host(() => ({ code: 0, stdout: TABLES }), { kind: 'namespace' }));
    expect([ganesha.connections.length, ganesha.known]).toEqual([3, null]);
  });
});

describe('who has which', () => {
  const two = desired({}, { path: 'b', addresses: ['10.0.0.6'] }, { path: 'three', version: '3' });

  test('over 4.1: what it may mount where it is connected', () => {
    const at = (address: string) => [{ at: address, from: '10.0.0.50' }];
    const names = (sighted: Sightings) =>
      hostsOf(desired({ name: 'a' }, { name: 'b', path: 'b', addresses: ['10.0.0.6'] }), sighted);
    expect(names(seen({ known: [known('10.0.0.50')], connections: at('10.0.0.6') }))).toMatchObject([
      { address: '10.0.0.50', version: '4.1', datastores: ['b'], connected_to: ['10.0.0.6'] },
    ]);
    expect(names(seen({ known: [known('10.0.0.50')] }))[0]!.datastores).toEqual(['a', 'b']);
    expect(names(seen({ known: [known('10.9.0.1')] }))[0]!.datastores).toEqual([]);
  });

  test('over 3: what it mounted', () => {
    const mounts = [{ address: '10.0.0.60', path: '/srv/datastores/v-1/three' }];
    const [host] = hostsOf(desired({ name: 'a' }, { name: 'three', path: 'three', version: '3' }), seen({ mounts }));
    expect(host).toMatchObject({ version: '3', datastores: ['three'], renewed_seconds: null });
  });

  test('where connections alone are known, either version', () => {
    const connections = [{ at: '10.0.0.5', from: '10.0.0.70' }];
    const [host] = hostsOf(two, seen({ connections, known: null }));
    expect(host).toMatchObject({ version: null, connected_to: ['10.0.0.5'] });
  });

  test('the appliance itself, which asks as a host would, is none', () => {
    expect(
      hostsOf(LAB, seen({ known: [known('10.0.0.5')], connections: [{ at: '10.0.0.5', from: '10.0.0.5' }] })),
    ).toEqual([]);
  });
});

describe('whom a change cuts off', () => {
  const NAMES = new Map([['10.0.0.50', 'esx-1.lab.test']]);
  async function cutBy(after: typeof LAB, sighted: Partial<Record<'info' | 'tcp' | 'rmtab', string>>, before = LAB) {
    const answers = (program: string, args: string[]) => {
      if (program === 'cat') return (args[0] === '/var/lib/nfs/rmtab' ? sighted.rmtab : sighted.tcp) ?? '';
      return args.includes('--include=info') ? (sighted.info ?? '') : '';
    };
    const host = {
      kind: 'system',
      enforces: true,
      exec: async (program: string, args: string[]) => ({ code: 0, stdout: answers(program, args), stderr: '' }),
    } as unknown as Host;
    return (await cuts(host, change(before, after), async () => NAMES)).join('\n');
  }
  const ESX = { info: INFO };

  test.each([
    [
      'an export that goes',
      desired(),
      /^Datastore .* is not exported any more: 10\.0\.0\.50 \(esx-1\.lab\.test, NFS 4\.1\) is a client of it now\.$/,
    ],
    [
      'a network that is narrowed',
      desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.128/25', 'fd00::/64'] }),
      /is not for them any more: 10\.0\.0\.50/,
    ],
    [
      'an address that moves',
      desired({ addresses: ['10.0.0.9', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'] }),
      /does not answer at 10\.0\.0\.5 any more: 10\.0\.0\.50.*\nThe server restarts, which stalls/,
    ],
    [
      'another version',
      desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'], version: '3' }),
      /becomes another export: 10\.0\.0\.50/,
    ],
    [
      'a first size limit',
      desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', 'fd00::/64'], size_limit_gib: 1 }),
      /^The server restarts, which stalls whoever is connected now: 10\.0\.0\.50 \(esx-1/,
    ],
  ] as const)('%s', async (_what, after, says) => {
    expect(await cutBy(after, ESX)).toMatch(says);
  });

  test('a host that stays a client is not named, nor one whose lease ended long ago', async () => {
    const more = desired({ addresses: ['10.0.0.5', 'fd00::5'], clients: ['10.0.0.0/24', '10.1.0.0/24', 'fd00::/64'] });
    expect(await cutBy(more, ESX)).toBe('');
    expect(await cutBy(desired(), ESX)).not.toMatch(/fd00::50/);
  });

  test('over NFS 3 a mount without a connection is a hint, and cuts nobody off', async () => {
    const three = desired({ version: '3' });
    const rmtab = '10.0.0.50:/srv/datastores/v-1/lab:0x00000001\n';
    expect(await cutBy(desired(), { rmtab }, three)).toBe('');
    expect(await cutBy(desired(), { rmtab, tcp: TABLES }, three)).toMatch(/10\.0\.0\.50 \(esx-1\.lab\.test, NFS 3\)/);
  });

  test('many are counted', async () => {
    const many = Array.from({ length: 11 }, (_none, at) =>
      file(at, 'info', `address: "10.0.0.${100 + at}:700"\nseconds from last renew: 1`),
    );
    expect(await cutBy(desired(), { info: many.join('\n') })).toMatch(
      /10\.0\.0\.107 \(NFS 4\.1\) and 3 more are clients of it now/,
    );
  });

  test('where nothing was exported, nothing is asked', async () => {
    const host = { kind: 'system', enforces: true } as unknown as Host;
    expect(await cuts(host, change(desired(), LAB), async () => NAMES)).toEqual([]);
  });
});
