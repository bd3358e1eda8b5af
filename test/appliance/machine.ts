// A machine in software emulation: its console, its network cards on taps, and its end, by its own process id.
import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** A file that gets what the consoles show, for whoever looks on while the suite runs. */
const CONSOLE = process.env.APPLIANCE_CONSOLE;

export interface Card {
  tap: string;
  mac: string;
}

export interface MachineOptions {
  /** Network namespace in which the taps are. */
  namespace: string;
  kernel: string;
  initrd: string;
  /** Kernel parameters besides the console. */
  parameters?: string;
  disk?: string;
  /** Where each of its writes is recorded (blklogwrites); an empty file at the start. */
  log?: string;
  /** More disks, each with the serial number that it is known by below /dev/disk/by-id. */
  disks?: readonly { path: string; serial: string; log?: string }[];
  memory_mb: number;
  processors?: number;
  cards: readonly Card[];
  /** Path of a socket for the shell on the second serial port. */
  shell?: string;
  /** Milliseconds after which the machine is ended, whatever it does. */
  limit: number;
}

export class Machine {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  readonly #limit: NodeJS.Timeout;
  readonly #shellPath: string | undefined;
  #console = '';
  #running = true;

  constructor(options: MachineOptions) {
    this.#shellPath = options.shell;
    this.#child = spawn('ip', ['netns', 'exec', options.namespace, 'qemu-system-x86_64', ...qemuArguments(options)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#console += text;
        if (CONSOLE) appendFileSync(CONSOLE, text);
      });
    this.#ended = new Promise((done) => {
      this.#child.once('close', () => {
        this.#running = false;
        done();
      });
    });
    // `ip netns exec` becomes qemu: the id of the child is the id of the machine.
    this.#limit = setTimeout(() => this.#child.kill('SIGKILL'), options.limit);
  }

  /** Everything that the console has shown. */
  get console(): string {
    return this.#console;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Waits until the console has shown it. @throws Error with the console's end. */
  async shows(expected: RegExp, limit: number): Promise<RegExpExecArray> {
    const began = performance.now();
    for (;;) {
      const found = expected.exec(this.#console);
      if (found) return found;
      if (!this.#running || performance.now() - began > limit) {
        const why = this.#running ? `within ${limit / 1000} s` : 'before it ended';
        throw new Error(`the console did not show ${expected} ${why}:\n${this.#console.slice(-6_000)}`);
      }
      await pause(50);
    }
  }

  /** Power is gone, now: what the machine had not written is lost. */
  async cutPower(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended(5_000);
  }

  /** Waits until the machine has switched itself off. */
  async ended(limit: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, failed) => {
      const tell = () =>
        failed(new Error(`the machine did not end within ${limit / 1000} s:\n${this.#console.slice(-3_000)}`));
      timer = setTimeout(tell, limit);
    });
    try {
      await Promise.race([this.#ended, late]);
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#limit);
    }
  }

  /** Runs a command line in the shell inside; answers what it wrote. */
  async inside(command: string, limit = 300_000): Promise<string> {
    const socket = await connected(this.#shellPath!);
    try {
      return await exchange(socket, command, limit);
    } finally {
      socket.destroy();
    }
  }
}

/**
 * What is let go of is not recorded with its zeros. Requests stay as the machine sent them: with its header one that QEMU put
 * together has more pieces than the kernel takes at once (IOV_MAX), so that it is neither recorded nor done.
 */
const RECORDED = 'virtio-blk-pci,discard=off,write-zeroes=off,request-merging=off';

/** Flushes are recorded, and end there. The count of entries stands in the file at once. */
const recorded = (name: string, path: string, log: string): string[] => [
  ...['-blockdev', `driver=file,node-name=${name}-data,filename=${path},cache.no-flush=on`],
  ...['-blockdev', `driver=file,node-name=${name}-log,filename=${log},cache.no-flush=on`],
  '-blockdev',
  `driver=blklogwrites,node-name=${name},file=${name}-data,log=${name}-log,log-super-update-interval=1`,
];

function qemuArguments(options: MachineOptions): string[] {
  const { kernel, initrd, parameters = '', disk, log, disks = [], memory_mb, processors = 1, cards, shell } = options;
  return [
    // The oldest processor that Node runs on: what newer ones have besides is slow in software.
    ...['-M', 'q35', '-accel', 'tcg,thread=multi', '-cpu', 'Nehalem', '-smp', String(processors)],
    ...['-m', String(memory_mb)],
    ...['-display', 'none', '-monitor', 'none', '-no-reboot', '-nodefaults', '-serial', 'stdio'],
    ...(shell ? ['-serial', `unix:${shell},server=on,wait=off`] : []),
    // What the machine has written is in the file, also when it is ended; that of whoever runs the test is not cut off.
    ...(disk && !log ? ['-drive', `file=${disk},if=virtio,format=raw,cache=unsafe`] : []),
    ...(disk && log ? [...recorded('system', disk, log), '-device', `${RECORDED},drive=system,addr=0x7`] : []),
    ...disks.flatMap(({ path, serial, log }, at) => [
      ...(log
        ? recorded(`disk${at}`, path, log)
        : ['-drive', `file=${path},if=none,id=disk${at},format=raw,cache=unsafe`]),
      // Behind the first one, which is to be /dev/vda.
      '-device',
      `${log ? RECORDED : 'virtio-blk-pci'},drive=disk${at},serial=${serial},addr=0x${(16 + at).toString(16)}`,
    ]),
    ...cards.flatMap(({ tap, mac }, at) => [
      ...['-netdev', `tap,id=n${at},ifname=${tap},script=no,downscript=no`],
      ...['-device', `virtio-net-pci,netdev=n${at},mac=${mac},romfile=,addr=0x${(8 + at).toString(16)}`],
    ]),
    ...['-kernel', kernel, '-initrd', initrd],
    // On a busy machine an emulated timer comes too late for the kernel's check of it, which panics.
    ...['-append', `console=ttyS0 quiet panic=-1 mitigations=off no_timer_check ${parameters}`],
  ];
}

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

function connected(path: string): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect(path, () => done(socket));
    socket.once('error', failed);
  });
}

let asked = 0;

/** The terminal echoes what is typed: the words that frame the answer are put together by the shell. */
function exchange(socket: Socket, command: string, limit: number): Promise<string> {
  asked += 1;
  const [first, last] = [`begin-${asked}-`, `end-${asked}-`];
  return new Promise((done, failed) => {
    let text = '';
    const late = setTimeout(() => failed(new Error(`no answer to ${command}: ${text.slice(-500)}`)), limit);
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      const from = text.indexOf(`${first}here`);
      const to = text.indexOf(`${last}here`);
      if (from < 0 || to < 0) return;
      clearTimeout(late);
      done(
        text
          .slice(from + first.length + 4, to)
          .replaceAll('\r', '')
          .trim(),
      );
    });
    socket.write(`stty -echo; echo ${first}"here"; { ${command}; } 2>&1; echo ${last}"here"\n`);
  });
}
