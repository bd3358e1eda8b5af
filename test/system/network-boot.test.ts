// Real boots, from the first packet to the Kickstart: an appliance whose DHCP, TFTP and boot listener were applied by
// itself, machines with BIOS and UEFI, Debian's iPXE, a menu and a code on a serial console, an installer that fetches
// its Kickstart once; and every way in which it is refused. Both machines boot at the same time: each spends most of it
// waiting.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BootMachine, DISK_STARTED, type MachineFirmware, makeInstaller } from '../setup/boot-machine.ts';
import { type Lab, makeLab } from '../setup/namespaces.ts';
import { bundleProgram } from '../setup/program.ts';

const ORIGIN = 'http://10.77.0.1:8080';
const BOOT = 'http://10.88.0.1:8081';
/** Software emulation on a busy machine: what takes seconds may take a minute. */
const SLOW = 400_000;
const CANARY = 'CanaryRootPasswordQWZX';
const KICKSTART = `vmaccepteula
install --firstdisk=local --overwritevmfs
rootpw {{ var.root_password }}
network --bootproto=dhcp --hostname={{ host.hostname }}
reboot
`;
const MACS: Record<MachineFirmware, string> = { bios: '52:54:00:00:00:11', uefi: '52:54:00:00:00:12' };
const TAPS: Record<MachineFirmware, string> = { bios: 'tap0', uefi: 'tap1' };
/** Seconds that an attempt lives: as it is, and too short for anybody. */
const LIFETIME = { usual: 600, short: 3 } as const;

let lab: Lab;
let data: string;
let service: ChildProcess;
let log = '';
let token = '';
const hosts: Partial<Record<MachineFirmware, string>> = {};
const machines: Partial<Record<MachineFirmware, BootMachine>> = {};
/** Seconds from the start of the suite, for whoever reads the run. */
const laps: string[] = [];
const lap = (what: string): void => void laps.push(`${(performance.now() / 1000).toFixed(1)} s ${what}`);

async function until<T>(what: string, read: () => T | null | undefined | false, limit = SLOW): Promise<T> {
  for (let waited = 0; waited < limit; waited += 50) {
    const found = read();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`${what}: not within ${limit} ms\n${log.slice(-3_000)}`);
}

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  body: any;
}

/** One request from the client's namespace, by a program of its own. */
function call(method: string, path: string, body?: unknown, origin = ORIGIN): Answered {
  const script = `fetch(process.argv[1], JSON.parse(process.argv[2])).then(async (r) => console.log(JSON.stringify({ status: r.status, text: await r.text() })))`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const options = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const { status, text } = JSON.parse(
    lab.inClient(process.execPath, '-e', script, origin + path, JSON.stringify(options)),
  );
  return { status, body: text.startsWith('{') ? JSON.parse(text) : text };
}

function api(method: string, path: string, body?: unknown) {
  const answer = call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function ended(job_id: string): Promise<void> {
  const job = await until(
    'the job ends',
    () => {
      const found = api('GET', `/api/v1/jobs/${job_id}`);
      return ['succeeded', 'failed', 'cancelled'].includes(found.state) && found;
    },
    SLOW,
  );
  if (job.state !== 'succeeded')
    throw new Error(`${job.kind} ${job.state}: ${JSON.stringify(job.error)} ${JSON.stringify(job.tasks)}`);
}

async function apply(): Promise<void> {
  const plan = api('POST', '/api/v1/apply/plans', {});
  const path = `/api/v1/apply/plans/${plan.id}`;
  const { job_id, confirm } = api('POST', `${path}/submit`, { digest: plan.digest });
  if (confirm) {
    await until('the plan is in force', () => api('GET', path).state === 'confirming', SLOW);
    api('POST', `${path}/confirm`, { nonce: confirm.nonce });
  }
  await ended(job_id);
}

async function boot(firmware: MachineFirmware): Promise<BootMachine> {
  await machines[firmware]?.end();
  const options = {
    firmware,
    namespace: lab.client,
    tap: TAPS[firmware],
    mac: MACS[firmware],
    folder: join(data, `machine-${firmware}`),
  };
  const machine = new BootMachine(options);
  machines[firmware] = machine;
  return machine;
}

const authorize = (firmware: MachineFirmware, boot_code: string): Answered =>
  call('POST', `/api/v1/network-boot/esxi-hosts/${hosts[firmware]}/authorize-boot-once`, { boot_code });

/** How long the attempts live that are started from now on. */
async function setLifetime(seconds: number): Promise<void> {
  const from = log.length;
  service.stdin!.write(`lifetime ${seconds}\n`);
  await until('the lifetime is set', () => log.slice(from).includes(`LIFETIME ${seconds}\n`));
}

/** The menu, then the assigned entry, then the code that the console shows. `before` the choice, something else may end. */
async function choose(machine: BootMachine, before: Promise<unknown> = Promise.resolve()): Promise<string> {
  await machine.see(/Start from the local disk \(in/, SLOW);
  await new Promise((done) => setTimeout(done, 700));
  // The first key ends the countdown.
  machine.type('i');
  await new Promise((done) => setTimeout(done, 300));
  await before;
  machine.type('\r');
  return (await machine.see(/Boot code: ([A-Z]{4}-[A-Z]{4})/, SLOW))[1]!;
}

interface Attempt {
  state: string;
  ended_reason: string | null;
  firmware: string;
}

/** Where a machine that tells of itself by these options is led by the running server, with its address: server and file. */
function ledTo(...options: string[]): string {
  const script = join(data, 'told.sh');
  writeFileSync(script, '#!/bin/sh\n[ "$1" = bound ] && echo "$siaddr $boot_file"\nexit 0\n', { mode: 0o755 });
  const asked = ['udhcpc', '-i', 'br0', '-n', '-q', '-f', '-t', '10', '-T', '1', '-s', script, ...options];
  return lab.inClient('busybox', ...asked);
}

const lastAttempt = (firmware: MachineFirmware): Attempt =>
  api('GET', `/api/v1/network-boot/attempts?host_id=${hosts[firmware]}`).items[0];

beforeAll(async () => {
  lab = makeLab('boot');
  const inClient = (...args: string[]) => execFileSync('ip', ['-n', lab.client, ...args]);
  inClient('link', 'add', 'br0', 'type', 'bridge');
  const taps = Object.values(TAPS);
  for (const tap of taps) inClient('tuntap', 'add', 'dev', tap, 'mode', 'tap');
  for (const link of ['c1', ...taps]) inClient('link', 'set', link, 'master', 'br0');
  inClient('addr', 'flush', 'dev', 'c1');
  inClient('addr', 'add', '10.88.0.2/24', 'dev', 'br0');
  for (const link of ['br0', ...taps]) inClient('link', 'set', link, 'up');
  data = mkdtempSync(join(tmpdir(), 'groundcrew-boot-'));
  mkdirSync(join(data, 'import'));
  makeInstaller(join(data, 'import', 'esxi'));
  const program = await bundleProgram('test/system/boot-program.ts');
  service = spawn(
    'ip',
    ['netns', 'exec', lab.appliance, process.execPath, program, data, lab.appliance, '10.77.0.1:8080'],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (log += text));
  token = await until('the service starts', () => /TOKEN (\S+)/.exec(log)?.[1], SLOW);
  log = log.replace(token, 'TOKEN');
}, 2 * SLOW);

afterAll(async () => {
  for (const machine of Object.values(machines)) await machine.end();
  if (service && service.exitCode === null) {
    const gone = new Promise((done) => service.on('exit', done));
    service.stdin!.write('stop\n');
    await gone;
  }
  lab?.remove();
  if (data) rmSync(data, { recursive: true, force: true });
  console.log(laps.join('\n'));
}, SLOW);

test(
  'the appliance is set up and applies DHCP, the packet filter and network boot',
  async () => {
    const lab0 = {
      role: 'access',
      ipv4_cidr: '10.88.0.1/24',
      ipv6_enabled: true,
      ipv6_cidr: 'fd88::1/64',
      enabled: true,
    };
    api('PATCH', '/api/v1/interfaces/physical/lab0', lab0);
    api('PATCH', '/api/v1/dhcp/settings', { enabled: true });
    const ranges = [{ start: '10.88.0.100', end: '10.88.0.150' }];
    api('POST', '/api/v1/dhcp/scopes', { name: 'lab', interface: 'lab0', subnet_cidr: '10.88.0.0/24', ranges });
    // Where no router advertisement comes, iPXE waits for one for fifteen seconds.
    const ranges6 = [{ start: 'fd88::100', end: 'fd88::1ff' }];
    api('POST', '/api/v1/dhcp/scopes', { name: 'lab6', interface: 'lab0', subnet_cidr: 'fd88::/64', ranges: ranges6 });
    const uefi_http_url = `${BOOT}/boot/ipxe/snponly.efi`;
    api('PATCH', '/api/v1/network-boot/settings', { enabled: true, listen_interfaces: ['lab0'], uefi_http_url });
    const created = api('POST', '/api/v1/network-boot/media', { name: 'Synthetic', path: 'esxi' });
    await ended(created.job_id);
    const medium = api('GET', `/api/v1/network-boot/media/${created.medium_id}`);
    expect(medium).toMatchObject({
      state: 'ready',
      product: 'Synthetic ESXi',
      loaders: { efi: 'mboot.efi', bios: 'pxelinux.0' },
    });
    const kickstart = api('POST', '/api/v1/network-boot/kickstarts', { name: 'Compute', text: KICKSTART });
    for (const [at, firmware] of (['bios', 'uefi'] as const).entries()) {
      hosts[firmware] = api('POST', '/api/v1/network-boot/esxi-hosts', {
        hostname: `esx0${at + 1}.lab.example`,
        mac_address: MACS[firmware],
        ip_address: `10.88.0.1${at + 1}`,
        kickstart_id: kickstart.id,
        media_id: medium.id,
        variables: { root_password: CANARY },
      }).id;
    }
    await apply();
    // The first boot programs come over TFTP, through the packet filter, as they are.
    for (const name of ['undionly.kpxe', 'snponly.efi']) {
      const copy = join(data, name);
      lab.inClient('busybox', 'tftp', '-g', '-r', name, '-l', copy, '10.88.0.1');
      expect(readFileSync(copy).equals(readFileSync(`/usr/lib/ipxe/${name}`))).toBe(true);
    }
    // Each kind of machine is told of its own first stage, and iPXE of the menu, whatever it runs on (RFC 4578, 2.1).
    const kinds: [string[], string][] = [
      [['-x', '0x5d:0000'], 'undionly.kpxe'],
      [['-x', '0x5d:0007'], 'snponly.efi'],
      [['-x', '0x5d:0010', '-V', 'HTTPClient:Arch:00016'], uefi_http_url],
      [['-x', '0x5d:0007', '-x', '0xaf:b1040a880001'], `${BOOT}/boot/menu.ipxe`],
    ];
    for (const [options, program] of kinds) {
      expect([options, ledTo(...options)]).toEqual([options, `10.88.0.1 ${program}`]);
    }
    expect(call('GET', '/boot/menu.ipxe', undefined, BOOT)).toMatchObject({
      status: 200,
      body: expect.stringContaining('#!ipxe'),
    });
    // The management listener knows none of it, and the boot listener nothing else.
    expect(call('GET', '/boot/menu.ipxe').status).toBe(404);
    expect(call('GET', '/api/v1/network-boot/esxi-hosts', undefined, BOOT).status).toBe(404);
    lap('both machines are switched on');
    steps = { bios: begun(BIOS), uefi: begun(UEFI) };
  },
  3 * SLOW,
);

type Step = [name: string, take: () => Promise<void>];

/** Resolved once attempts live as long as usual: the first one of the machine with a BIOS does not. */
const usualLifetime = Promise.withResolvers<void>();

const BIOS: Step[] = [
  [
    'without authorization the attempt expires, and the console says so and leads back',
    async () => {
      await setLifetime(LIFETIME.short);
      const machine = await boot('bios');
      await choose(machine).finally(async () => {
        await setLifetime(LIFETIME.usual);
        usualLifetime.resolve();
      });
      lap('bios: first code');
      await machine.see(/Ten minutes are over/, SLOW);
      lap('bios: expired');
      expect(lastAttempt('bios')).toMatchObject({ state: 'expired', ended_reason: 'time-over', firmware: 'pcbios' });
      machine.type(' ');
    },
  ],
  [
    'five wrong codes burn the attempt: the right one is refused then, and the console says so',
    async () => {
      const machine = machines.bios!;
      const code = await choose(machine);
      const wrong = code.startsWith('A') ? 'BBBB-BBBB' : 'AAAA-AAAA';
      for (let tries = 0; tries < 5; tries += 1) {
        expect(authorize('bios', wrong)).toMatchObject({ status: 409, body: { error_code: 'boot_code_refused' } });
      }
      expect(authorize('bios', code).status).toBe(409);
      expect(lastAttempt('bios')).toMatchObject({ state: 'burnt', ended_reason: 'wrong-codes' });
      await machine.see(/Five wrong codes/, SLOW);
      lap('bios: burnt');
      machine.type(' ');
    },
  ],
  [
    'a host that was changed after the apply is refused with 409, and the console says so',
    async () => {
      const machine = machines.bios!;
      const code = await choose(machine);
      api('PATCH', `/api/v1/network-boot/esxi-hosts/${hosts.bios}`, { hostname: 'esx09.lab.example' });
      expect(authorize('bios', code)).toMatchObject({ status: 409, body: { error_code: 'host_drifted' } });
      await machine.see(/saved settings of this host differ/, SLOW);
      lap('bios: drift');
      api('PATCH', `/api/v1/network-boot/esxi-hosts/${hosts.bios}`, { hostname: 'esx01.lab.example' });
      machine.type(' ');
    },
  ],
  ['authorized by its code it installs, and has its Kickstart once', () => install(machines.bios!, 'bios')],
  [
    'the next network boot goes to its local disk without anybody',
    async () => {
      const machine = await boot('bios');
      await machine.see(/was installed from here/, SLOW);
      await machine.see(new RegExp(DISK_STARTED), SLOW);
      lap('bios: local disk');
      await machine.end();
    },
  ],
];

const UEFI: Step[] = [
  ['authorized by its code it installs, and has its Kickstart once', async () => install(await boot('uefi'), 'uefi')],
  [
    'the next network boot goes to its local disk without anybody, past its other ways to boot',
    async () => {
      const machine = await boot('uefi');
      await machine.see(/was installed from here/, SLOW);
      lap('uefi: installed, by the network card');
      // The firmware's own PXE fetches iPXE over TFTP.
      await machine.see(/NBP filename is snponly\.efi/, SLOW);
      await machine.see(/was installed from here/, SLOW);
      lap('uefi: installed, by TFTP');
      // The firmware's next way is HTTP: it fetches iPXE from the boot listener, which brings the same menu.
      await machine.see(/Start HTTP Boot over IPv4/, SLOW);
      await machine.see(/was installed from here/, SLOW);
      lap('uefi: installed, by HTTP');
      await machine.see(new RegExp(DISK_STARTED), SLOW);
      lap('uefi: local disk');
      await machine.end();
    },
  ],
];

/** Of each machine, once it is switched on. */
let steps: Record<MachineFirmware, Promise<void>[]>;

/** One step after the other, whatever test is at it: the tests of both machines wait for what goes on at the same time. */
function begun(steps: readonly Step[]): Promise<void>[] {
  let last = Promise.resolve();
  return steps.map(([, take]) => {
    last = last.then(take);
    // The test of the step hears of it.
    last.catch(() => undefined);
    return last;
  });
}

describe('a machine with a BIOS', () => {
  test.each(BIOS.map(([name], at) => ({ name, at })))('$name', ({ at }) => steps.bios[at], 5 * SLOW);
});

describe('a machine with UEFI', () => {
  test.each(UEFI.map(([name], at) => ({ name, at })))('$name', ({ at }) => steps.uefi[at], 5 * SLOW);
});

async function install(machine: BootMachine, firmware: MachineFirmware): Promise<void> {
  const code = await choose(machine, usualLifetime.promise);
  lap(`${firmware}: code`);
  if (firmware === 'bios') {
    // What was seen of the first time ends with the code: all three lines are those of a later poll. One that a key
    // started may come first, so that the second one came by itself.
    const again = `Host: +esx01\\.lab\\.example\\s+Boot code: ${code}\\s+Time left: (?:10|[6-9]) minutes`;
    for (const _poll of [1, 2]) await machine.see(new RegExp(again), SLOW);
    lap('bios: code again');
  }
  expect(authorize(firmware, code)).toMatchObject({ status: 202, body: { host_id: hosts[firmware] } });
  // A second time there is nothing left to authorize.
  expect(authorize(firmware, code).status).toBe(409);
  // UEFI gives up on letters that its serial port does not take in time, on a machine that has much to do: what comes
  // later shows as well that it went on.
  await machine.see(
    firmware === 'bios'
      ? /Authorized\. Starting the installer of esx/
      : /Authorized\.|mboot\.efi\.\.\. ok|(?=INSTALLER: CONFIG READ)/,
    SLOW,
  );
  lap(`${firmware}: authorized, by its console`);
  await machine.see(/INSTALLER: CONFIG READ/, 2 * SLOW);
  await machine.see(/INSTALLER: MODULE k\.b00 \d{6,}/, SLOW);
  const [, text] = await machine.see(/INSTALLER: KS OK([\s\S]*?)INSTALLER: KS END/, SLOW);
  lap(`${firmware}: Kickstart`);
  expect(text).toContain(`rootpw ${CANARY}`);
  expect(text).toContain(`--hostname=esx0${firmware === 'bios' ? 1 : 2}.lab.example`);
  await machine.see(/INSTALLER: SECOND FETCH REFUSED/, SLOW);
  lap(`${firmware}: second fetch refused`);
  expect(lastAttempt(firmware)).toMatchObject({ state: 'consumed', firmware: firmware === 'bios' ? 'pcbios' : 'efi' });
  await machine.end();
}

test(
  'switched off, it is served to nobody any more, and addresses are',
  async () => {
    const listening = (transport: '-u' | '-t', port: number): string =>
      execFileSync('ip', ['netns', 'exec', lab.appliance, 'ss', '-Hln', transport, `sport = :${port}`], {
        encoding: 'utf8',
      }).trim();
    expect(listening('-u', 69)).not.toBe('');
    expect(listening('-t', 8081)).not.toBe('');
    api('PATCH', '/api/v1/network-boot/settings', { enabled: false });
    await apply();
    await until('the boot listener ends', () => listening('-t', 8081) === '');
    expect(listening('-u', 69)).toBe('');
    expect(listening('-u', 67)).not.toBe('');
    lap('switched off');
  },
  SLOW,
);

test('neither secret nor capability is in the log, in files or in the audit log', () => {
  expect(log).toContain('"operation":"getKickstart"');
  expect(log).not.toContain(CANARY);
  expect(log).not.toMatch(/kickstarts\/01-[0-9a-f-]+\/[0-9a-f]{64}\/[\w-]{40,}/);
  const files = readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('machine-'))
    .map((entry) => join(entry.parentPath, entry.name));
  const holding = files.filter((path) => readFileSync(path).includes(CANARY));
  expect(holding).toEqual([]);
});
