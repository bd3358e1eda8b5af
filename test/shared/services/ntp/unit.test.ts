// The time service as data: listening, files, words, what the daemon prints, and the packets of the probe.
import { createSocket } from 'node:dgram';
import { describe, expect, test } from '@jest/globals';
import { duration } from '../../../../pages/ntp/clock-words.tsx';
import type { ExecResult, Host } from '../../../../shared/ground/machine/host.ts';
import { keyPath } from '../../../../shared/platform/host/key-files.ts';
import { differences } from '../../../../shared/platform/units/facts.ts';
import { actionFor, clientCommands } from '../../../../shared/services/ntp/activate.ts';
import { parseSources, parseTracking, withoutSpares } from '../../../../shared/services/ntp/chronyc-output.ts';
import { type NtpDesired, ntsNames, type TimeSource } from '../../../../shared/services/ntp/desired.ts';
import {
  CERTIFICATE_FILE,
  CLIENTS_FILE,
  CONF_FILE,
  LOCAL_FILE,
  SOURCES_FILE,
} from '../../../../shared/services/ntp/files.ts';
import { listening } from '../../../../shared/services/ntp/listening.ts';
import { decodeAnswer, encodeQuestion } from '../../../../shared/services/ntp/ntp-packet.ts';
import { askTime } from '../../../../shared/services/ntp/ntp-question.ts';
import { ntpSettings } from '../../../../shared/services/ntp/settings.ts';
import { ntpStatus } from '../../../../shared/services/ntp/status.ts';
import { ntpUnit } from '../../../../shared/services/ntp/unit.ts';

const reach = (cidr: string, dynamic = false) => ({ cidr, dynamic });
const link = (name: string, v4: string, v6 = '', dynamic = false) => ({
  name,
  usable: true,
  ipv4: reach(v4, dynamic),
  ipv6: reach(v6),
});
const ONE = link('ens192', '10.10.0.5/24', 'fd10::5/64');
const TWO = link('ens224', '10.20.0.5/24');
const DHCP = link('ens256', '', '', true);
const source = (address: string, rest: Partial<TimeSource> = {}): TimeSource => ({
  address,
  kind: 'server',
  nts: false,
  prefer: false,
  ...rest,
});
const desired = (rest: Partial<NtpDesired> = {}, settings: Partial<NtpDesired['settings']> = {}): NtpDesired => ({
  settings: { ...ntpSettings.defaults, enabled: true, listen_interfaces: ['ens192'], ...settings },
  listen: [ONE],
  elsewhere: ['10.30.0.0/24', 'fd30::/64'],
  sources: [],
  certificate: null,
  ...rest,
});
/** Never opened: a unit only hands it on. */
const CERTIFICATE = {
  chain_pem: '',
  sha256: 'AA:BB',
  not_after: '2027-01-01T00:00:00Z',
  sealed: {
    place: { table: 'issued_certificate', row: 'cert_1', field: 'private_key' },
    kek_id: 'kek_1',
    sealed_key: 'SEALED',
    sealed_value: 'SEALED',
  },
};
const OFF = desired({ listen: [] }, { enabled: false });

describe('where chronyd listens', () => {
  test.each<[string, Pick<NtpDesired, 'listen' | 'elsewhere'>, string[], string[]]>([
    [
      'one address of each family: bound to both',
      { listen: [ONE], elsewhere: ['10.30.0.0/24'] },
      ['10.10.0.5', 'fd10::5'],
      [],
    ],
    ['a family without address: shut', { listen: [TWO], elsewhere: ['fd30::/64'] }, ['10.20.0.5', '::1'], []],
    [
      'two addresses of a family: open, other networks of that family refused',
      { listen: [ONE, TWO], elsewhere: ['10.30.0.0/24', 'fd30::/64'] },
      ['fd10::5'],
      ['10.30.0.0/24'],
    ],
    ['an address by DHCP: open', { listen: [DHCP], elsewhere: ['10.30.0.0/24'] }, ['::1'], ['10.30.0.0/24']],
    [
      'a network that holds a chosen one is not refused, one inside of it is',
      { listen: [ONE, TWO], elsewhere: ['10.10.0.128/25', '10.0.0.0/8', '10.20.0.0/24'] },
      ['fd10::5'],
      ['10.10.0.128/25'],
    ],
  ])('%s', (_name, given, bind, refused) => expect(listening(given)).toEqual({ bind, refused }));
});

const contents = (state: NtpDesired, path: string) =>
  ntpUnit
    .render(state, (each) => each)
    .find((file) => file.path === path)
    ?.content.split('\n')
    .slice(1, -1);

describe('the files', () => {
  test('one interface, everybody', () => {
    expect(contents(desired(), CONF_FILE)).toEqual([
      'confdir /etc/groundcrew/chrony/conf.d',
      'sourcedir /etc/groundcrew/chrony/sources',
      'pidfile /run/groundcrew/chronyd.pid',
      'bindcmdaddress /run/groundcrew/chrony/chronyd.sock',
      'driftfile /var/lib/groundcrew/chrony/drift',
      'ntsdumpdir /var/lib/groundcrew/chrony',
      'makestep 1.0 3',
      'rtcsync',
      'cmdport 0',
      'minsources 1',
      'bindaddress 10.10.0.5',
      'bindaddress fd10::5',
    ]);
    expect(contents(desired(), CLIENTS_FILE)).toEqual(['allow', 'allow 127.0.0.1', 'allow ::1']);
    expect(contents(desired(), LOCAL_FILE)).toEqual(['local stratum 10']);
    expect(contents(desired(), SOURCES_FILE)).toEqual([]);
  });

  test('several interfaces and networks of clients; refusals come first, so that a client named by the operator wins', () => {
    const state = desired({ listen: [ONE, TWO] }, { allowed_clients: ['10.30.0.0/24'], local_stratum: 0 });
    expect(contents(state, CONF_FILE)?.slice(10)).toEqual(['bindaddress fd10::5']);
    expect(contents(state, LOCAL_FILE)).toEqual([]);
    expect(contents(state, CLIENTS_FILE)).toEqual([
      'deny 10.30.0.0/24',
      'allow 10.30.0.0/24',
      'allow 127.0.0.1',
      'allow ::1',
    ]);
  });

  test('sources', () => {
    const sources = [
      source('10.9.9.9', { prefer: true }),
      source('t.example', { nts: true }),
      source('p.example', { kind: 'pool' }),
    ];
    expect(contents(desired({ sources }), SOURCES_FILE)).toEqual([
      'server 10.9.9.9 iburst prefer',
      'server t.example iburst nts',
      'pool p.example iburst',
    ]);
  });

  test('off with a source: the own clock only, no port; off without: nothing at all', () => {
    expect(contents({ ...OFF, sources: [source('t.example')] }, CONF_FILE)?.slice(9)).toEqual([
      'minsources 1',
      'port 0',
    ]);
    expect(ntpUnit.render(OFF, (path) => path)).toEqual([]);
    expect(ntpUnit.render(ntpUnit.nothing!, (path) => path)).toEqual([]);
  });
});

describe('the check refuses before chronyd is asked', () => {
  const never = { enforces: true, resolve: (path: string) => path, exec: () => expect(0).toBe(1) } as unknown as Host;
  test.each<[string, NtpDesired, string]>([
    ['on without an interface', desired({ listen: [] }), 'listens on no interface'],
    ['an interface that is gone', desired({ listen: [{ ...ONE, usable: false }] }), 'ens192 is missing'],
    ['an interface without address', desired({ listen: [link('ens192', '')] }), 'has no address'],
    ['a network with host bits', desired({}, { allowed_clients: ['10.0.0.1/24'] }), 'not a network'],
    ['a network of 33 bits', desired({}, { allowed_clients: ['10.0.0.0/33'] }), 'not a network'],
    ['itself as source', desired({ sources: [source('10.10.0.5')] }), 'the appliance itself'],
    ['a pool by address', desired({ sources: [source('10.9.9.9', { kind: 'pool' })] }), 'must be a host name'],
    ['NTS by address', desired({ sources: [source('10.9.9.9', { nts: true })] }), 'must be a host name'],
    ['two dots', desired({ sources: [source('a..b')] }), 'not a host name'],
    ['an option in an address', desired({ sources: [source('t.example nts')] }), 'not a host name'],
  ])('%s', async (_name, state, fault) => {
    const result = await ntpUnit.check(never, state, (path) => path);
    expect(result).toMatchObject({ ok: false, program: 'groundcrew (listeners, clients and sources)' });
    expect(result.faults.join()).toContain(fault);
  });

  test('a data folder with a blank, which chronyd would cut short', async () => {
    const blank = { ...never, resolve: (path: string) => `/srv/my data${path}` };
    expect((await ntpUnit.check(blank, desired(), (path) => path)).faults).toEqual([
      'The path of the data folder has a blank; chronyd cannot read it.',
    ]);
  });

  test('what chronyd says names the file as it lies on the appliance, without its clock', async () => {
    const exec = async (_program: string, args: string[]): Promise<ExecResult> => ({
      code: 1,
      stdout: '',
      stderr: `2026-11-21T08:17:27Z Fatal error : Could not parse local directive at line 1 in file ${args[2]}\n`,
    });
    const { faults } = await ntpUnit.check({ ...never, exec } as Host, desired(), (path) => `/tmp/staged${path}`);
    expect(faults[0]).toBe(`Fatal error : Could not parse local directive at line 1 in file ${CONF_FILE}`);
  });
});

describe('NTS', () => {
  const on = desired({ certificate: CERTIFICATE }, { hostname: 'ntp.lab.test', nts_enabled: true });

  test('its certificate is for the host name and every static address', () => {
    expect(ntsNames(on)).toEqual(['ntp.lab.test', '10.10.0.5', 'fd10::5']);
    expect(ntsNames({ ...on, settings: { ...on.settings, enabled: false } })).toBeNull();
    expect(ntsNames(desired())).toBeNull();
  });

  test('without its certificate, plain NTP is served alone', () => {
    const waiting = { ...on, certificate: null };
    expect(ntpUnit.render(waiting, (path) => path).map(({ path }) => path)).toEqual([
      CONF_FILE,
      SOURCES_FILE,
      CLIENTS_FILE,
      LOCAL_FILE,
    ]);
    expect(contents(waiting, CONF_FILE)?.join('\n')).not.toContain('ntsserver');
  });

  test('what is remembered has no key, sealed or not', () => {
    expect(JSON.stringify(ntpUnit.remember(on))).not.toContain('SEALED');
    expect(ntpUnit.remember(on).certificate).toMatchObject({ sha256: 'AA:BB' });
  });

  test.each([
    ['the first certificate', { ...on, certificate: null }, on, 'get their keys on TCP port 4460', 'low'],
    [
      'another certificate',
      on,
      { ...on, certificate: { ...CERTIFICATE, sha256: 'CC:DD' } },
      'The certificate of NTS is replaced.',
      'medium',
    ],
    ['a certificate that was revoked', on, { ...on, certificate: null }, 'NTS is not served any more', 'high'],
  ])('%s', (_name, before, after, sentence, risk) => {
    const [was, becomes] = [ntpUnit.facts(before), ntpUnit.facts(after)];
    const meant = ntpUnit.impact({ before: was, after: becomes, written: [CERTIFICATE_FILE], removed: [] });
    expect([meant.says.join(' '), meant.risk]).toEqual([expect.stringContaining(sentence), risk]);
    expect(meant.interruption).toContain('up to 0.5 s');
  });

  test.each([[CERTIFICATE_FILE], [keyPath('ntp')]])('chronyd starts anew for another %s', (path) => {
    expect(actionFor(true, true, { written: [path], removed: [] })).toBe('restart');
  });
});

test.each<[string, boolean, boolean, string[], string]>([
  ['nothing wanted, nothing runs', false, false, [], 'none'],
  ['switched off', false, true, [], 'stop'],
  ['not running', true, false, [SOURCES_FILE], 'start'],
  ['other sources', true, true, [SOURCES_FILE], 'reload'],
  ['other clients', true, true, [CLIENTS_FILE], 'reload'],
  ['another stratum', true, true, [LOCAL_FILE], 'reload'],
  ['anything else', true, true, [CONF_FILE, SOURCES_FILE], 'restart'],
  ['no file', true, true, [], 'none'],
])('%s', (_name, wanted, running, written, action) => {
  expect(actionFor(wanted, running, { written, removed: [] })).toBe(action);
});

test.each<[string, Partial<NtpDesired['settings']>, string[]]>([
  ['everybody', {}, ['allow all', 'deny 10.30.0.0/24', 'allow', 'allow 127.0.0.1', 'allow ::1']],
  [
    'one network',
    { allowed_clients: ['10.10.0.0/24'] },
    ['allow all', 'deny 10.30.0.0/24', 'allow 10.10.0.0/24', 'allow 127.0.0.1', 'allow ::1', 'deny'],
  ],
])('a running chronyd is told of its clients, whoever they were: %s', (_name, settings, commands) => {
  expect(clientCommands(desired({ listen: [ONE, TWO] }, settings))).toEqual(commands);
});

describe('impact', () => {
  const between = (before: NtpDesired | null, after: NtpDesired, written = [CONF_FILE]) =>
    ntpUnit.impact({ before: before && ntpUnit.facts(before), after: ntpUnit.facts(after), written, removed: [] });
  const one = desired({ sources: [source('t.example')] });

  test.each<[string, NtpDesired | null, NtpDesired, string, string]>([
    ['the first apply', null, desired(), 'The time service is on.', 'medium'],
    ['switching off', desired(), OFF, 'clients get no time any more', 'high'],
    [
      'another address',
      desired(),
      desired({ listen: [link('ens192', '10.11.0.5/24')] }),
      'another address of ens192 (10.11.0.5)',
      'high',
    ],
    ['fewer clients', desired(), desired({}, { allowed_clients: ['10.9.0.0/16'] }), 'told to: 10.9.0.0/16.', 'medium'],
    ['NTS without a certificate', desired(), desired({}, { nts_enabled: true }), 'NTS is not served yet', 'medium'],
    ['the first source', desired(), one, 'The clock follows sources from now on', 'medium'],
    ['the last source', one, desired(), 'no source left', 'high'],
    [
      'too few sources',
      one,
      { ...one, settings: { ...one.settings, minimum_sources: 3 } },
      'there are only 1: the clock is never set',
      'high',
    ],
    ['no local clock', desired(), desired({}, { local_stratum: 0 }), 'told that the time is not known', 'medium'],
    ['a second interface', desired(), desired({ listen: [ONE, TWO] }), 'refused are: 10.30.0.0/24.', 'medium'],
  ])('%s', (_name, before, after, sentence, risk) => {
    const { says, ...rest } = between(before, after);
    expect(says.join(' ')).toContain(sentence);
    expect(rest.risk).toBe(risk);
  });

  test('what clients notice', () => {
    expect(between(null, desired()).interruption).toBe('none');
    expect(between(desired(), one, [SOURCES_FILE]).interruption).toBe('none');
    expect(between(desired(), desired({}, { local_stratum: 5 }), [LOCAL_FILE]).interruption).toBe('none');
    expect(between(one, { ...one, settings: { ...one.settings, minimum_sources: 2 } }).interruption).toContain('up to');
    expect(between(desired(), OFF).interruption).toBe('time service ends');
  });
});

test('what a plan calls following the network are facts about listening only', () => {
  const before = ntpUnit.facts(desired({ listen: [ONE, TWO] }));
  const after = ntpUnit.facts(desired({ listen: [link('ens192', '10.77.0.5/24'), TWO], elsewhere: ['10.31.0.0/24'] }));
  const changed = [...differences(before, after)];
  expect(changed.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['listen ens192', 'refused ']);
  expect(changed.every((each) => ntpUnit.follows!(each, changed))).toBe(true);
});

describe('what chronyc prints', () => {
  const CSV = `^,*,time1.lab.test,2,6,377,13,0.000123000,0.000120000,0.004000000
^,?,pool.lab.test,0,6,0,4294967295,0.000000000,0.000000000,0.000000000
^,?,pool.lab.test,0,6,0,4294967295,0.000000000,0.000000000,0.000000000
`;
  test('sources', () => {
    const seen = parseSources(CSV);
    expect(seen).toHaveLength(3);
    expect(seen[0]).toEqual({
      address: 'time1.lab.test',
      state: 'selected',
      stratum: 2,
      poll_seconds: 64,
      reach: '377',
      last_answer_seconds: 13,
      offset_seconds: -0.000123,
      error_seconds: 0.004,
    });
    expect(withoutSpares(seen).map(({ address, offset_seconds }) => [address, offset_seconds])).toEqual([
      ['time1.lab.test', -0.000123],
      ['pool.lab.test', null],
    ]);
    expect(parseSources('506 Cannot talk to daemon\n')).toEqual([]);
  });

  test.each([
    [
      'a source',
      '0A4D0002,10.77.0.2,4,1795249006.0,-0.000001500,0,0,0.1,0,0,0.0001,0.0002,64.0,Normal',
      { synchronised: true, stratum: 4, reference: '10.77.0.2', offset_seconds: 0.0000015 },
    ],
    [
      'its own clock',
      '7F7F0101,,10,1795249006.0,0,0,0,0,0,0,0,0,0.0,Normal',
      { synchronised: false, stratum: 10, reference: 'local', offset_seconds: null },
    ],
    [
      'nothing',
      '00000000,,0,0,0,0,0,0,0,0,1,1,0.0,Not synchronised',
      { synchronised: false, stratum: null, reference: null, offset_seconds: null },
    ],
    ['words', '506 Cannot talk to daemon', null],
  ])('a clock that follows %s', (_name, line, clock) => expect(parseTracking(`${line}\n`)).toEqual(clock));

  test('a daemon that cannot be asked is told, never thrown', async () => {
    const host = {
      enforces: true,
      kind: 'namespace',
      resolve: (path: string) => path,
      daemonRunning: async () => true,
      exec: async () => ({ code: 1, stdout: '', stderr: '506 Cannot talk to daemon\n' }),
    } as unknown as Host;
    expect(await ntpStatus(host)).toEqual({
      running: true,
      reason: 'The time service could not be asked: 506 Cannot talk to daemon',
      clock: null,
      sources: null,
    });
  });
});

test.each([
  [-0.00123, '−1.2 ms'],
  [0.5, '500 ms'],
  [12.34, '12 s'],
  [0.0000071, '7.1 µs'],
  [-2.9e-8, '−29 ns'],
  [0, '0.0 ns'],
])('%d seconds are %s', (seconds, words) => expect(duration(seconds)).toBe(words));

describe('an NTP packet', () => {
  const nonce = Buffer.from('12345678');
  const reply = (change: (packet: Buffer) => void = () => undefined): Buffer => {
    const packet = Buffer.alloc(48);
    packet[0] = (4 << 3) | 4;
    packet[1] = 4;
    nonce.copy(packet, 24);
    change(packet);
    return packet;
  };

  test('the question is version 4, mode client, and tells nothing but its nonce', () => {
    const question = encodeQuestion(nonce);
    expect([question.length, question[0]]).toEqual([48, 0x23]);
    expect(question.subarray(40).equals(nonce)).toBe(true);
    expect(question.subarray(1, 40).every((byte) => byte === 0)).toBe(true);
  });

  const good = { stratum: 4, synchronised: true, kiss: null };
  test.each<[string, Buffer, unknown]>([
    ['an answer', reply(), good],
    ['version 3', reply((packet) => packet.writeUInt8((3 << 3) | 4, 0)), good],
    ['a leap second', reply((packet) => packet.writeUInt8((1 << 6) | (4 << 3) | 4, 0)), good],
    [
      'a clock that is not set',
      reply((packet) => packet.writeUInt8((3 << 6) | (4 << 3) | 4, 0)),
      { ...good, synchronised: false },
    ],
    [
      'a refusal',
      reply((packet) => {
        packet[1] = 0;
        packet.write('RATE', 12, 'latin1');
      }),
      { stratum: 0, synchronised: false, kiss: 'RATE' },
    ],
    ['another question’s answer', reply((packet) => packet.write('87654321', 24, 'latin1')), null],
    ['a question', reply((packet) => packet.writeUInt8(0x23, 0)), null],
    ['half of one', reply().subarray(0, 47), null],
  ])('%s', (_name, packet, answer) => expect(decodeAnswer(packet, nonce)).toEqual(answer));

  test('is asked for until the server answers, and what does not belong is passed over', async () => {
    const server = createSocket('udp4');
    let asked = 0;
    server.on('message', (question, { port, address }) => {
      asked += 1;
      server.send(Buffer.from('noise'), port, address);
      if (asked < 2) return;
      server.send(
        reply((packet) => question.copy(packet, 24, 40, 48)),
        port,
        address,
      );
    });
    await new Promise<void>((bound) => server.bind(0, '127.0.0.1', bound));
    try {
      const { port } = server.address();
      expect(await askTime('127.0.0.1', port, '127.0.0.1')).toEqual({ server: '127.0.0.1', answer: good, error: null });
      expect(asked).toBe(2);
    } finally {
      server.close();
    }
  });
});
