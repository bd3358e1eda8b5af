// What the tests of power cuts share: an appliance whose disks are recorded, what an operator was told while it ran, and how it
// looks from inside.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPLIANCE_PACKAGES, debianBase } from './base.ts';
import { extractImage, type Image } from './image.ts';
import { type ApplianceLab, makeApplianceLab } from './lab.ts';
import { Machine, pause } from './machine.ts';
import { switchOnClient } from './nfs-client.ts';
import { Operator } from './operator.ts';
import { Plans } from './plans.ts';
import { now, type RecordedFile, Recording, recordedFile, type Sample } from './recorded-machine.ts';
import type { Guest } from './tagged-guest.ts';

/** Milliseconds after which something is taken to hang; no pace is judged by them. */
export const BOOT = 600_000;
export const STEP = 400_000;
export const WHOLE = 7_200_000;
export const SERVER = '10.20.0.1';
export const HOST = '10.20.0.50';
/** Serial numbers of the disks behind the system's own: one in use, a blank one, one that carries somebody's ext4. */
export const SERIALS = ['GCUSED01', 'GCBLANK1', 'GCEXT4OL'] as const;
export const deviceOf = (serial: string): string => `/dev/disk/by-id/virtio-${serial}`;
export const GIB = 2 ** 30;

/**
 * A folder in which recordings stay, for whoever tries single cuts after another: one that is there is not made again. The
 * appliance on its disks is the one that was installed then.
 */
const KEPT = process.env.POWER_KEPT;

/** What the operator was told, or asked for, and when (now()). */
export interface Told {
  what: string;
  began: number;
  ended: number;
}

interface State {
  from: number;
  state: string;
}

/** A recording as it stays in a folder. */
interface Kept<Other> {
  files: readonly RecordedFile[];
  samples: Sample[];
  told: Told[];
  states: State[];
  token: string;
  other: Other;
}

/** As root sees it. A half-made state would be none that was seen before. */
const IN_FORCE = [
  'cd /etc/groundcrew/storage && find . -type f | sort | xargs sha256sum',
  'exportfs -s | sort',
  "findmnt -rn -o TARGET,FSTYPE | grep '^/srv/datastores' | sort",
].join('; ');
const RECORDS = '/var/lib/groundcrew/enforce/storage';
const CHECK = `const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync('/var/lib/groundcrew/data/groundcrew.sqlite', { readOnly: true });
  console.log(JSON.stringify([db.prepare('PRAGMA integrity_check').all(), db.prepare('PRAGMA foreign_key_check').all()]));`;

export class PowerScene {
  readonly folder = mkdtempSync(join(tmpdir(), 'groundcrew-power-'));
  /** Where the recordings are, and the disks that they begin with. */
  readonly records = KEPT || this.folder;
  readonly image: Image;
  readonly lab: ApplianceLab;
  readonly operator: Operator;
  readonly plans: Plans;
  readonly client: Guest;
  readonly told: Told[] = [];
  /** What was in force from when the operator was told so. */
  readonly states: State[] = [];
  appliance!: Machine;
  recording: Recording | null = null;

  constructor() {
    if (KEPT) mkdirSync(KEPT, { recursive: true });
    this.image = extractImage(debianBase([...APPLIANCE_PACKAGES, 'nfs-kernel-server', 'xfsprogs']).archive);
    const installed = this.image.install('--management', 'enp0s8=10.99.0.1/24');
    if (installed.code !== 0) throw new Error(installed.said);
    this.lab = makeApplianceLab();
    this.operator = new Operator(this.lab.namespace, 'https://10.99.0.1');
    this.plans = new Plans(this.operator, STEP, () => this.failures());
    const mac = '52:54:00:99:02:10';
    const shell = join(this.folder, 'client');
    this.client = switchOnClient(this.lab, this.image, { shell, mac, address: `${HOST}/24`, limit: WHOLE });
  }

  /** The disks of a machine that was never switched on. */
  blank(): string[] {
    const paths = ['system', ...SERIALS].map((name) => join(this.records, `first-${name}`));
    const [, used, empty, old] = paths as [string, string, string, string];
    for (const path of [used, empty, old]) {
      writeFileSync(path, '');
      truncateSync(path, GIB);
    }
    run('mkfs.xfs', '-q', used);
    const kept = join(this.folder, 'kept');
    run('mkdir', '-p', join(kept, 'old'));
    writeFileSync(join(kept, 'old/theirs'), 'somebody wrote this\n');
    run('mke2fs', '-q', '-t', 'ext4', '-d', kept, old);
    run('cp', '--sparse=always', this.image.disk('disk.img'), paths[0]!);
    return paths;
  }

  /** Switches it on; with a recording where these are the disks as they are at the start, which are kept. */
  switchOn(paths: readonly string[], recorded: boolean): void {
    const files: RecordedFile[] = recorded ? paths.map((base) => recordedFile(base, `${base}-recorded`)) : [];
    const { management, trunk, data } = this.lab.taps;
    const of = (disk: number) => ({
      path: files[disk]?.image ?? paths[disk]!,
      ...(files[disk] && { log: files[disk].log }),
    });
    const { path, ...log } = of(0);
    this.recording = recorded ? new Recording(files) : null;
    this.appliance = new Machine({
      namespace: this.lab.namespace,
      kernel: this.image.kernel,
      initrd: this.image.initrd,
      parameters: 'root=/dev/vda rw systemd.show_status=0',
      ...{ disk: path, ...log },
      disks: SERIALS.map((serial, at) => ({ ...of(at + 1), serial })),
      memory_mb: 1024,
      processors: 2,
      cards: [management, trunk, data].map((tap, at) => ({ tap, mac: `52:54:00:99:02:0${at}` })),
      shell: join(this.folder, 'shell'),
      limit: WHOLE,
    });
  }

  async switchOff(): Promise<void> {
    if (this.appliance?.running) await this.appliance.cutPower();
    this.recording?.stop();
  }

  /** Makes a recording, or takes the one that was kept. `other`: what else is to be known of it. */
  async recorded<Other>(name: string, make: () => Promise<Other>): Promise<{ recording: Recording; other: Other }> {
    const file = join(this.records, `${name}.json`);
    if (existsSync(file)) {
      const { files, samples, told, states, token, other } = JSON.parse(readFileSync(file, 'utf8')) as Kept<Other>;
      this.told.splice(0, this.told.length, ...told);
      this.states.splice(0, this.states.length, ...states);
      this.operator.token = token;
      return { recording: new Recording(files, samples), other };
    }
    const other = await make();
    await this.switchOff();
    const recording = this.recording!;
    const { files, samples } = recording;
    const { told, states } = this;
    const kept: Kept<Other> = { files, samples, told, states, token: this.operator.token, other };
    if (KEPT) writeFileSync(file, JSON.stringify(kept));
    return { recording, other };
  }

  async remove(): Promise<void> {
    this.operator.close();
    await this.switchOff();
    if (this.client.machine.running) await this.client.machine.cutPower();
    this.client.remove();
    this.lab.remove();
    this.image.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  failures(): string {
    return this.appliance.console
      .split('\n')
      .filter((line) => /ERROR|enforce|watchdog|rollback|panic|nfs|mount|disk|corrupt/i.test(line))
      .slice(-40)
      .join('\n');
  }

  inside(command: string): Promise<string> {
    return this.appliance.inside(command);
  }

  types(command: string): Promise<string> {
    return this.client.machine.inside(command, STEP);
  }

  /** Does it, and keeps when it began, and when the operator heard that it is done. */
  async tells<T>(what: string, act: () => Promise<T>): Promise<T> {
    const began = now();
    const answer = await act();
    this.told.push({ what, began, ended: now() });
    return answer;
  }

  /** Applies what is saved, and keeps what is in force then. */
  async applies(what: string): Promise<void> {
    await this.tells(what, () => this.plans.apply());
    this.states.push({ from: this.was(what).ended, state: await this.inForce() });
  }

  was(what: string): Told {
    const found = this.told.find((each) => each.what === what);
    if (!found) throw new Error(`nothing was told of ${what}`);
    return found;
  }

  /** Ends in one of the states between which the power was cut. @throws Error for any other one that lasts */
  async isBeforeOrAfter(at: number): Promise<void> {
    const next = this.states.findIndex(({ from }) => from > at);
    const near = next < 0 ? this.states.slice(-1) : this.states.slice(Math.max(0, next - 1), next + 1);
    let state = '';
    for (const until = performance.now() + STEP / 4; performance.now() < until; await pause(1_000)) {
      state = await this.inForce();
      if (near.some((each) => each.state === state)) return;
    }
    throw new Error(`neither before nor after:\n${state}\n--\n${near.map((each) => each.state).join('\n--\n')}`);
  }

  inForce(): Promise<string> {
    return this.inside(IN_FORCE);
  }

  /** Of the database while the service runs: what SQLite says is wrong with it. */
  async database(): Promise<unknown> {
    const said = await this.inside(`/usr/lib/groundcrew/bin/node --no-warnings -e "${CHECK.replaceAll('\n', ' ')}"`);
    return JSON.parse(said);
  }

  /** UUID on the disk; '' for none. */
  uuidOn(serial: string): Promise<string> {
    return this.inside(`blkid -p -s UUID -o value ${deviceOf(serial)}`);
  }

  /** Whether root wrote down that it made this filesystem to the end. */
  async wasMade(uuid: string): Promise<boolean> {
    return uuid !== '' && /"made":\s*true/.test(await this.inside(`cat ${RECORDS}/${uuid}.json`));
  }

  /** Until no work that was cut off is under way any more. */
  async settles(): Promise<void> {
    const states = ['queued', 'running', 'waiting'];
    for (const until = performance.now() + STEP; performance.now() < until; await pause(500)) {
      const lists = await Promise.all(
        states.map((state) => this.operator.expect('GET', `/api/v1/jobs?state=${state}&kind=apply`)),
      ).catch(() => null);
      if (lists?.every(({ items }) => items.length === 0)) return;
    }
    throw new Error(`an apply is still under way\n${this.failures()}`);
  }

  /** Until it holds inside. */
  async comes(command: string, expected: RegExp): Promise<string> {
    let said = '';
    for (const until = performance.now() + STEP; performance.now() < until; await pause(500)) {
      said = await this.inside(command);
      if (expected.test(said)) return said;
    }
    throw new Error(`${command} says ${said}\n${this.failures()}`);
  }
}

function run(program: string, ...args: string[]): void {
  const ran = spawnSync(program, args, { encoding: 'utf8', timeout: 120_000 });
  if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}`);
}
