// What saving accepts, the real programs accept; what they refuse, saving refused before, with a member to point at
// (needs root: each program looks at its files in a network namespace). GROUNDCREW_FUZZ_STATES: states and near-misses
// of each unit; GROUNDCREW_FUZZ_STARTS: how many of the states of names and addresses are
// served for real; GROUNDCREW_FUZZ_TELL: prints each near-miss of that name.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fileRefusal } from '../../shared/appliance/host-guard.ts';
import { surroundingsOf } from '../../shared/appliance/surroundings.ts';
import type { Host, RenderedFile } from '../../shared/ground/machine/host.ts';
import type { Transaction } from '../../shared/ground/store/database.ts';
import { namespaceHost } from '../../shared/platform/host/namespace.ts';
import type { AnyUnit } from '../../shared/platform/units/unit.ts';
import type { DnsDhcpDesired } from '../../shared/services/dns-dhcp/desired.ts';
import { dnsmasqDaemon } from '../../shared/services/dns-dhcp/files.ts';
import { dnsDhcpUnit } from '../../shared/services/dns-dhcp/unit.ts';
import { firewallUnit } from '../../shared/services/firewall/unit.ts';
import { ntpUnit } from '../../shared/services/ntp/unit.ts';
import type { House } from '../setup/house.ts';
import { Programs } from './real-programs-asking.ts';
import { drawTime } from './real-programs-chronyd.ts';
import { drawNames } from './real-programs-dnsmasq.ts';
import { broken, type Drawn, pointerOf, type Target, valueAt, withValue } from './real-programs-misses.ts';
import { drawFilter } from './real-programs-nft.ts';
import { type Body, INTERFACES, openHouse, Saving } from './real-programs-saving.ts';
import { Dice } from './world-dice.ts';

const STATES = Number(process.env.GROUNDCREW_FUZZ_STATES ?? 40);
const STARTS = Number(process.env.GROUNDCREW_FUZZ_STARTS ?? 5);
const SEED = Number(process.env.GROUNDCREW_FUZZ_SEED ?? 1);
/** Draws of one unit: poor draws end the trial, and its sums say so. */
const DRAWS_MOST = 20 * STATES;
/** Broken values of one state: few, so that many states are seen. */
const MISSES_OF_A_STATE = 8;
const MINUTE = 60_000;

const namespace = `gct-real-${process.pid}`;
let folder: string;
let house: House;
let host: Host;
let programs: Programs;

const ip = (...args: string[]): void => {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gct-real-'));
  house = await openHouse();
  ip('netns', 'add', namespace);
  ip('-n', namespace, 'link', 'set', 'lo', 'up');
  for (const [at, [name, ipv4, ipv6]] of INTERFACES.entries()) {
    ip('link', 'add', name, 'netns', namespace, 'type', 'veth', 'peer', 'name', `peer${at}`, 'netns', namespace);
    for (const cidr of [ipv4, ipv6])
      if (cidr) ip('-n', namespace, 'addr', 'add', cidr, 'dev', name, ...(cidr.includes(':') ? ['nodad'] : []));
    for (const end of [name, `peer${at}`]) ip('-n', namespace, 'link', 'set', end, 'up');
  }
  host = await namespaceHost(namespace, folder);
  programs = new Programs(namespace, join(folder, 'staged'));
}, MINUTE);
afterAll(async () => {
  await house?.close();
  programs?.end();
  if (host) await host.stopDaemon(dnsmasqDaemon(host));
  spawnSync('ip', ['netns', 'del', namespace]);
  rmSync(folder, { recursive: true, force: true });
});

interface Tally {
  states: number;
  calls: number;
  /** Valid calls that saving refused, most often because two of one state do not go together. */
  refusedCalls: number;
  started: number;
  misses: number;
  /** Refused by both. */
  both: number;
  /** Refused by ours alone. */
  ours: number;
  /** Made canonical or harmless: saved, and accepted by the program as saved. */
  neither: number;
  /** Of the refusals by both, those that point at another member. */
  elsewhere: number;
  silent: number;
  kinds: Record<string, [both: number, ours: number, neither: number]>;
}

/** Serves a state; answers what was wrong. */
type Start = (desired: unknown, files: RenderedFile[]) => Promise<string | null>;

class Trial {
  readonly tally: Tally = {
    ...{ states: 0, calls: 0, refusedCalls: 0, started: 0, misses: 0, both: 0, ours: 0, neither: 0, elsewhere: 0 },
    ...{ silent: 0, kinds: {} },
  };
  readonly faults: string[] = [];
  readonly #unit: AnyUnit;
  readonly #draw: (dice: Dice) => Drawn;
  readonly #start: Start | undefined;

  constructor(unit: AnyUnit, draw: (dice: Dice) => Drawn, start?: Start) {
    this.#unit = unit;
    this.#draw = draw;
    this.#start = start;
  }

  async run(): Promise<void> {
    const { tally } = this;
    const first = SEED * 100_000;
    for (let seed = first; seed < first + DRAWS_MOST; seed += 1) {
      if (tally.states >= STATES && tally.both >= STATES) break;
      const dice = new Dice(seed);
      const drawn = this.#draw(dice);
      await house.services.store.write((tx) => this.#state(tx, dice, drawn), { rollBack: true });
      if (this.faults.length > 20) break;
    }
  }

  async #rendered(tx: Transaction): Promise<{ desired: unknown; files: RenderedFile[] }> {
    const surroundings = surroundingsOf({ management_port: 8080, public_listen: { host: '0.0.0.0', port: 8090 } });
    const desired = await this.#unit.load(tx, surroundings);
    // What can be saved, root writes on the appliance.
    const refusals = this.#unit.render(desired, (path) => path).flatMap((file) => fileRefusal(file) ?? []);
    if (refusals.length > 0) this.faults.push(`refused by the guard: ${refusals.join()}`);
    return { desired, files: this.#unit.render(desired, host.resolve) };
  }

  async #state(tx: Transaction, dice: Dice, drawn: Drawn): Promise<void> {
    const { tally } = this;
    const saving = new Saving(tx, house.services);
    const mostOf = Math.max(1, Math.ceil(drawn.targets.length / MISSES_OF_A_STATE));
    const missing = new Set<number>();
    const open: { target: Target; typed: unknown; saved: Body; pointers: string[] }[] = [];
    for (const [n, call] of drawn.calls.entries()) {
      const fits = ({ call: at, beside = at }: Target) => at === n && !missing.has(beside);
      const places = drawn.targets.filter((target) => fits(target) && dice.below(mostOf) === 0);
      const answers: [Target, unknown, string[]][] = [];
      const before = await saving.try(call, async () => null);
      if ('refused' in before) {
        tally.calls += 1;
        tally.refusedCalls += 1;
        missing.add(n);
        continue;
      }
      for (const target of places) {
        const typed = target.typed ? target.typed(dice, call.body) : broken(dice, valueAt(call.body, target.path));
        const tried = await saving.try(withValue(call, target.path, typed), () => this.#rendered(tx));
        if ('seen' in tried) await this.#accepted(target, typed, tried.seen.files);
        else answers.push([target, typed, (tried.refused.members.errors ?? []).map(({ pointer }) => pointer)]);
      }
      const answer = await saving.send(call);
      tally.calls += 1;
      if ('refused' in answer) throw new Error(`refused the second time: ${answer.refused.message}`);
      for (const [target, typed, pointers] of answers) open.push({ target, typed, saved: answer.body, pointers });
    }
    const { desired, files } = await this.#rendered(tx);
    if (files.length === 0) return;
    tally.states += 1;
    const refused = await programs.refuse(files);
    if (refused) this.faults.push(`accepted by ours: ${refused}\n${JSON.stringify(drawn.calls)}`);
    else for (const miss of open) await this.#miss(miss, files);
    if (this.#start && tally.started < STARTS) {
      tally.started += 1;
      const fault = await this.#start(desired, files);
      if (fault) this.faults.push(`started: ${fault}\n${files[0]?.content}`);
    }
  }

  #count({ name, silent }: Target, which: 'both' | 'ours' | 'neither'): void {
    this.tally.misses += 1;
    if (silent) this.tally.silent += 1;
    this.tally[which] += 1;
    this.tally.kinds[name] ??= [0, 0, 0];
    this.tally.kinds[name][['both', 'ours', 'neither'].indexOf(which)]! += 1;
  }

  /** Ours let it pass: then the program has to. */
  async #accepted(target: Target, typed: unknown, files: readonly RenderedFile[]): Promise<void> {
    const refused = await programs.refuse(files);
    this.#count(target, 'neither');
    const what = `${target.name}: ${JSON.stringify(typed)}`;
    if (refused) this.faults.push(`accepted by ours: ${what}; ${refused}`);
    else if (target.silent) this.faults.push(`accepted by both, though it can't work: ${what}`);
  }

  async #miss(
    { target, typed, saved, pointers }: { target: Target; typed: unknown; saved: Body; pointers: string[] },
    files: RenderedFile[],
  ): Promise<void> {
    const what = `${target.name}: ${JSON.stringify(typed)}`;
    if (pointers.length === 0) this.faults.push(`refused without a pointer: ${what}`);
    const differing = files.flatMap((file) => {
      const content = target.write(file.content, typed, saved);
      return content === file.content ? [] : [{ ...file, content }];
    });
    const refused = await programs.refuse(differing);
    this.#count(target, refused ? 'both' : 'ours');
    const there = pointerOf(target.path.slice(0, 1));
    if (refused && !pointers.some((pointer) => pointer.startsWith(there))) this.tally.elsewhere += 1;
    if (process.env.GROUNDCREW_FUZZ_TELL === target.name) console.log(what, refused, pointers);
  }
}

/** Serves a state of names and addresses for real, and asks it. */
async function serve(desired: unknown, files: RenderedFile[]): Promise<string | null> {
  const daemon = dnsmasqDaemon(host);
  for (const file of files) await host.write(file);
  try {
    const change = { before: null, after: new Map(), written: files.map(({ path }) => path), removed: [] };
    await dnsDhcpUnit.activate(host, desired as DnsDhcpDesired, change);
    const probe = await dnsDhcpUnit.probe(host, desired as DnsDhcpDesired);
    return probe.ok ? null : probe.said;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await host.stopDaemon(daemon);
    for (const { path } of files) await host.remove(path);
  }
}

test.each<[string, AnyUnit, (dice: Dice) => Drawn, Start | undefined]>([
  ['dnsmasq', dnsDhcpUnit, drawNames, serve],
  ['nft', firewallUnit, drawFilter, undefined],
  ['chronyd', ntpUnit, drawTime, undefined],
])(
  `${STATES} states and ${STATES} near-misses with %s`,
  async (program, unit, draw, start) => {
    const trial = new Trial(unit, draw, start);
    const began = performance.now();
    await trial.run();
    const { kinds, ...sums } = trial.tally;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${program}, seed ${SEED}, ${seconds} s: ${JSON.stringify(sums)}\n${table(kinds)}`);
    expect(trial.faults).toEqual([]);
    expect(trial.tally.states).toBeGreaterThanOrEqual(STATES);
    expect(trial.tally.both).toBeGreaterThanOrEqual(STATES);
    // Or the states are poor.
    expect(trial.tally.refusedCalls / trial.tally.calls).toBeLessThan(0.3);
  },
  10 * MINUTE,
);

function table(kinds: Tally['kinds']): string {
  const rows = Object.entries(kinds).sort(([one], [other]) => (one < other ? -1 : 1));
  return rows
    .map(([name, [both, ours, neither]]) => `${name}: ${both} by both, ${ours} by ours alone, ${neither} saved`)
    .join('\n');
}
