// The web terminal on the whole appliance: Debian's own sshd and PAM behind the socket of systemd, opened by somebody on the
// management wire. He gets the shell of his account and nothing of the service; off again, no process of it is left. The machine
// boots in `npm run long` alone.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../setup/until.ts';
import { startWalk, type Walking } from '../setup/walking.ts';
import { debianBase, WITH_SSHD } from './base.ts';
import { extractImage, type Image } from './image.ts';
import { type ApplianceLab, makeApplianceLab } from './lab.ts';
import { Machine, pause } from './machine.ts';
import { Operator } from './operator.ts';
import { Plans } from './plans.ts';

/** Milliseconds after which something is taken to hang; software emulation on a busy machine is slow. */
const BOOT = 600_000;
const STEP = 400_000;
const WHOLE = 1_800_000;
const ORIGIN = 'https://10.99.0.1';
const SCOPES = ['interfaces', 'firewall', 'apply', 'jobs', 'terminal'].map((scope) => `write:${scope}`);
/** Accounts of Debian: one in the group of the terminal, and one that is not. */
const ACCOUNT = 'ada';
const OUTSIDER = 'charles';
const OS_PASSWORD = 'walnut-Torrent-58-cello';
/** One boot more than `appliance` has: too long for each run. */
const BOOTS = process.env.RESTARTS === 'all';
const longTest = BOOTS ? test : () => undefined;
const SOCKET = '/run/groundcrew/terminal.sock';

let image: Image;
let lab: ApplianceLab;
let appliance: Machine;
let operator: Operator;
let plans: Plans;
let disk: string;
let password = '';
let said = '';
const walks: Walking[] = [];
const began = performance.now();
const times: string[] = [];

const note = (what: string): void => void times.push(`${((performance.now() - began) / 1000).toFixed(1)} s ${what}`);

function switchOn(): Machine {
  const cards = [{ tap: lab.taps.management, mac: '52:54:00:99:01:00' }];
  return new Machine({
    ...{ namespace: lab.namespace, kernel: image.kernel, initrd: image.initrd, disk, cards },
    parameters: 'root=/dev/vda rw systemd.show_status=0',
    memory_mb: 1024,
    processors: 2,
    shell: `${disk}.shell`,
    limit: WHOLE,
  });
}

/** What a person does on Debian before: the package, an account, its password and its group. */
function withAccounts(): void {
  const inside = (script: string) => expect(image.inside('sh', '-c', script)).toMatchObject({ code: 0 });
  for (const name of [ACCOUNT, OUTSIDER]) inside(`useradd --create-home --shell /bin/bash ${name}`);
  for (const name of [ACCOUNT, OUTSIDER, 'root']) inside(`echo '${name}:${OS_PASSWORD}' | chpasswd`);
  inside(`usermod --append --groups groundcrew-terminal ${ACCOUNT}`);
  // Nobody gets in before it has run, and no sshd of Debian's own need run.
  inside('systemctl unmask systemd-user-sessions.service && systemctl mask ssh.service');
}

beforeAll(async () => {
  image = extractImage(debianBase(WITH_SSHD).archive);
  const installed = image.install('--management', 'enp0s8=10.99.0.1/24');
  if (installed.code !== 0) throw new Error(installed.said);
  if (!BOOTS) return;
  withAccounts();
  disk = image.disk('disk.img');
  note('disk made');
  lab = makeApplianceLab();
  operator = new Operator(lab.namespace, ORIGIN);
  plans = new Plans(operator, STEP, failures);
  appliance = switchOn();
}, WHOLE);

afterAll(async () => {
  for (const { child } of walks) child.kill('SIGKILL');
  operator?.close();
  if (appliance?.running) await appliance.cutPower();
  lab?.remove();
  image?.remove();
  if (BOOTS) console.log(times.join('\n'));
}, STEP);

/** What the log says went wrong, for the report of a failing test. */
function failures(): string {
  const lines = appliance.console.split('\n').filter((line) => /ERROR|enforce|terminal|sshd|cycle/.test(line));
  return lines.slice(-30).join('\n');
}

interface Shown {
  refused?: number;
  ready?: boolean;
  status?: number;
  closed?: number;
  text?: string;
}

class Terminal {
  readonly #walking: Walking;

  constructor(change: { account?: string; os_password?: string } = {}) {
    const asked = { origin: ORIGIN, user: 'admin', password, account: ACCOUNT, os_password: OS_PASSWORD, ...change };
    this.#walking = startWalk(lab.namespace, asked, (text) => (said += text));
    walks.push(this.#walking);
  }

  get seen(): Shown[] {
    return this.#walking.seen;
  }

  async sees(what: string, holds: (line: Shown) => boolean): Promise<void> {
    await until(() => this.seen.some(holds), STEP).catch(() => {
      throw new Error(`${what}, of ${JSON.stringify(this.seen)}\n${said}\n${failures()}`);
    });
  }

  resize(columns: number, rows: number): void {
    this.#walking.type(`resize ${columns} ${rows}`);
  }

  /** Answers what a command line wrote. The line itself is echoed: the words around the answer are put together by the shell. */
  async answers(line: string): Promise<string> {
    const word = `w${walks.length}${performance.now().toFixed(0)}`;
    this.#walking.type(`echo ${word}-"from"; { ${line}; } 2>&1; echo ${word}-"to"`);
    const frame = new RegExp(`${word}-from\\r\\n([^]*?)${word}-to\\r\\n`);
    let found: RegExpExecArray | null = null;
    const reads = ({ text = '' }: Shown) => {
      found ??= frame.exec(text);
      return found !== null;
    };
    await this.sees(`the answer to ${line}`, reads);
    return found![1]!.replaceAll('\r', '').trim();
  }
}

async function opened(): Promise<Terminal> {
  const terminal = new Terminal();
  await terminal.sees('a shell', ({ ready }) => ready === true);
  return terminal;
}

const LIST = "systemctl list-units --all --no-legend --plain 'groundcrew-terminal@*'";
const units = () => appliance.inside(LIST);
/** Without those of the shell that asks. */
const PROCESSES = `for each in /proc/[0-9]*; do tr '\\0' ' ' <$each/cmdline && echo; done 2>/dev/null | grep -E '^(sshd:|groundcrew-terminal|/usr/sbin/groundcrew-terminal|-bash|sleep )'; true`;
const processes = () => appliance.inside(PROCESSES);
const socketFile = () => appliance.inside(`stat -c '%a %U:%G %F' ${SOCKET} 2>&1`);
const turn = (enabled: boolean) =>
  operator.expect('PATCH', '/api/v1/web-terminal/settings', {
    ...{ enabled, listen_interfaces: ['enp0s8'], sessions_per_user: 2 },
  });

test('without a boot: systemd finds its units and programs in order, and PAM each of its modules', () => {
  const all = image.inside('sh', '-c', 'ls /usr/lib/systemd/system/groundcrew*').said.trim().split('\n');
  const verified = image.inside('systemd-analyze', 'verify', '--man=no', ...all, 'multi-user.target');
  expect(verified).toEqual({ code: 0, said: '' });
  const rules = image.inside('cat', '/etc/pam.d/groundcrew-terminal').said;
  const modules = [...rules.matchAll(/pam_\w+\.so/g)].map(([name]) => `/usr/lib/x86_64-linux-gnu/security/${name}`);
  expect(modules.length).toBeGreaterThan(4);
  const included = [...rules.matchAll(/^@include (\S+)$/gm)].map(([, name]) => `/etc/pam.d/${name}`);
  expect(included).toEqual(['/etc/pam.d/common-auth', '/etc/pam.d/common-account']);
  expect(image.inside('stat', '-c', '%F', ...modules, ...included)).toMatchObject({ code: 0 });
});

longTest(
  'it boots with the socket closed, and an apply with its confirmation opens it',
  async () => {
    await operator.reaches(BOOT);
    note('first answer');
    [, password = ''] = await appliance.shows(/with this password, then change it:[\s\S]*?\]: {3,}(\S{20})\s/, STEP);
    await operator.signIn(password, SCOPES);
    expect(await socketFile()).toMatch(/No such file/);
    await turn(true);
    await plans.apply();
    note('applied');
    expect(plans.checkedBy.get('web-terminal')).toBe('sshd -t');
    expect(await socketFile()).toBe('660 root:groundcrew socket');
    expect(await appliance.inside('systemctl is-active groundcrew-terminal.socket')).toBe('active');
    // Ours alone, and at no port.
    expect(await appliance.inside("ss -Hltn 'sport = :22'")).toBe('');
  },
  BOOT + 2 * STEP,
);

let terminal: Terminal;

longTest(
  'the password of an account opens its shell, which has the size of the page',
  async () => {
    terminal = await opened();
    note('a shell');
    expect(await terminal.answers('id -un; id -Gn; tty; stty size; grep CapEff /proc/self/status')).toMatch(
      /^ada\nada groundcrew-terminal\n\/dev\/pts\/\d+\n30 99\nCapEff:\s0{16}$/,
    );
    terminal.resize(132, 43);
    expect(await terminal.answers('stty size')).toBe('43 132');
    // All of it ends with the unit.
    expect(await terminal.answers('cat /proc/self/cgroup')).toMatch(/^0::\/.*\/groundcrew-terminal@\S+\.service$/);
    expect(await units()).toMatch(/^groundcrew-terminal@\S+ +loaded +active +running/);
    const limits = 'systemctl show --property TasksMax,MemoryMax,RuntimeMaxUSec';
    expect(await appliance.inside(`${limits} "$(${LIST} | cut -d' ' -f1)"`)).toBe(
      'RuntimeMaxUSec=8h\nMemoryMax=1073741824\nTasksMax=256',
    );
  },
  STEP,
);

longTest(
  'the shell reaches nothing of the service: no data, no key, no socket',
  async () => {
    const refused = async (line: string) => {
      const answer = await terminal.answers(`${line} && echo LET IN`);
      expect([line, answer]).toEqual([line, expect.stringMatching(/Permission denied|Operation not permitted/)]);
      expect([line, answer]).toEqual([line, expect.not.stringContaining('LET IN')]);
    };
    for (const folder of ['/var/lib/groundcrew/data', '/var/cache/groundcrew/service', '/var/lib/groundcrew/ldap'])
      await refused(`ls ${folder}`);
    const folders = ['tls', 'private/management-tls', 'private/ldap', 'private/kms', 'private/oidc', 'terminal'];
    for (const folder of folders) await refused(`ls /etc/groundcrew/${folder}`);
    const files = ['/etc/groundcrew/groundcrew.env', '/var/lib/groundcrew/terminal/host_key', '/etc/shadow'];
    for (const file of files) await refused(`cat ${file}`);
    for (const folder of ['/etc/groundcrew', '/var/lib/groundcrew/terminal', '/run/groundcrew', '/usr/lib/groundcrew'])
      await refused(`touch ${folder}/x`);
    const ask = (path: string) =>
      `/usr/lib/groundcrew/bin/node -e 'require("net").connect("${path}").on("connect", () => console.log("LET IN")).on("error", (e) => console.log(e.code))'`;
    for (const path of ['/run/groundcrew/enforce.sock', '/run/groundcrew/check.sock', SOCKET])
      expect([path, await terminal.answers(ask(path))]).toEqual([path, 'EACCES']);
    const token = 'groundcrew token create --name x --lifetime 1d --scope read:jobs; true';
    expect(await terminal.answers(token)).not.toMatch(/gcr_tok/);
    const service = await appliance.inside('systemctl show --property MainPID --value groundcrew');
    await refused(`cat /proc/${service}/environ`);
    await refused(`ls /proc/${service}/fd/`);
    await refused(`kill -TERM ${service}`);
    note('refused everywhere');
  },
  STEP,
);

longTest(
  'a wrong password, an account outside of the group and root get nothing',
  async () => {
    const root = new Terminal({ account: 'root' });
    await root.sees('it is refused', ({ refused }) => refused === 422);
    for (const change of [{ os_password: 'canary wrong' }, { account: OUTSIDER }]) {
      const refused = new Terminal(change);
      await refused.sees('it is refused', ({ closed }) => closed === 4403);
      expect([change, refused.seen.some(({ ready }) => ready === true)]).toEqual([change, false]);
    }
    expect(await appliance.inside('journalctl --no-pager -o cat | grep -c "canary wrong"')).toBe('0');
    note('three refused');
  },
  STEP,
);

longTest(
  'a socket that somebody stops by hand ends the shell, and is seen',
  async () => {
    await appliance.inside('systemctl stop groundcrew-terminal.socket');
    await terminal.sees('its end', ({ closed }) => closed === 1000);
    await nothingIsLeft();
    // The host is compared every few minutes; they pass at once.
    await appliance.inside('date --set "+5 minutes"');
    const compared = async () => {
      const { items } = await operator.expect('GET', '/api/v1/apply/drift');
      return items.find(({ unit }: { unit: string }) => unit === 'web-terminal');
    };
    let found = await compared();
    for (const end = performance.now() + STEP; performance.now() < end && found?.state !== 'drifted'; await pause(500))
      found = await compared();
    expect(found).toMatchObject({ state: 'drifted', lines: ['the socket of the terminal is closed'] });
    await appliance.inside('date --set "-5 minutes"; systemctl start groundcrew-terminal.socket');
    note('a stopped socket is seen');
  },
  2 * STEP,
);

longTest(
  'after a restart of the machine it opens as before, with the same key',
  async () => {
    const key = () => appliance.inside('cat /var/lib/groundcrew/terminal/host_key.pub');
    const before = await key();
    await appliance.inside('systemctl reboot --no-block');
    await appliance.ended(STEP);
    appliance = switchOn();
    await operator.reaches(BOOT);
    note('second start');
    expect(await key()).toBe(before);
    terminal = await opened();
    note('a shell after it');
    expect(await appliance.inside('journalctl -b --no-pager -o cat | grep -i "ordering cycle"; true')).toBe('');
    expect(await appliance.inside('systemctl --failed --no-legend --plain')).toBe('');
  },
  BOOT + STEP,
);

longTest(
  'switched off by an apply, its shells are gone, and the socket with them',
  async () => {
    await terminal.answers('sleep 4711 & disown; setsid sleep 4712 & true');
    expect(await processes()).toMatch(/sleep 4712/);
    await turn(false);
    await plans.apply();
    await terminal.sees('its end', ({ closed }) => closed === 4401 || closed === 1000);
    await nothingIsLeft();
    const refused = new Terminal();
    await refused.sees('it is refused', ({ status }) => status === 409);
    note('off');
  },
  2 * STEP,
);

/** No unit, no process and no file of a terminal. */
async function nothingIsLeft(): Promise<void> {
  for (const end = performance.now() + STEP; performance.now() < end && (await units()) !== ''; await pause(200));
  expect([await units(), await processes()]).toEqual(['', '']);
  expect(await socketFile()).toMatch(/No such file/);
}
