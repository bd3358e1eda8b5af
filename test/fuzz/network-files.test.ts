// Our validation against systemd-networkd's own: what we accept, it reads without a complaint; what it refuses, we have
// refused before it and said which field. GROUNDCREW_FUZZ_NETWORKS sets how many of each, GROUNDCREW_FUZZ_SEED begins
// elsewhere, GROUNDCREW_FUZZ_SHOW prints the counts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { fileRefusal, GUARD } from '../../shared/appliance/host-guard.ts';
import { Problem } from '../../shared/ground/problems.ts';
import { rehearsalHost } from '../../shared/platform/host/rehearsal.ts';
import { createVlan, editPhysical } from '../../shared/platform/interfaces/edit.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { physicalInterfaceUpdate, vlanCreate } from '../../shared/platform/interfaces/interface-schema.ts';
import { ruleFaults } from '../../shared/platform/network/check.ts';
import { readFiles } from '../../shared/platform/network/reading.ts';
import { render } from '../../shared/platform/network/render.ts';
import { row } from '../shared/platform/interfaces/rows.ts';
import { Dice } from './world-dice.ts';

const WANTED = Number(process.env.GROUNDCREW_FUZZ_NETWORKS ?? 500);
const SEED = Number(process.env.GROUNDCREW_FUZZ_SEED ?? 1);
const SHOW = process.env.GROUNDCREW_FUZZ_SHOW !== undefined;
/** Sets whose files networkd reads in one go; names tell them apart. */
const BATCH = 100;
const IDENTITY = { id: 'vlan_1', now: '2026-01-01T00:00:00.000Z' };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-networks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What networkd complains about, by the prefix that a set's names begin with. */
async function complaints(sets: { prefix: string; interfaces: NetworkInterface[] }[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let from = 0; from < sets.length; from += BATCH) {
    const staged = join(folder, `${found.size}-${from}-${sets[from]!.prefix}`);
    mkdirSync(staged);
    for (const { interfaces } of sets.slice(from, from + BATCH)) {
      for (const file of render({ interfaces })) writeFileSync(join(staged, basename(file.path)), file.content);
    }
    const reading = await readFiles(rehearsalHost(folder, GUARD), staged);
    if ('unable' in reading) throw new Error(reading.unable);
    for (const fault of reading.faults) {
      const [, prefix = '?'] = /40-groundcrew-([a-z]\d+)/.exec(fault) ?? [];
      found.set(prefix, [...(found.get(prefix) ?? []), fault]);
    }
  }
  return found;
}

const octet = (dice: Dice) => dice.below(256);
function ipv4(dice: Dice): string {
  return `${dice.pick([10, 172, 192, 169, 203, 1, 223])}.${dice.chance(0.1) ? 254 : octet(dice)}.${octet(dice)}.${octet(dice)}`;
}
function ipv6(dice: Dice): string {
  const groups = Array.from({ length: 1 + dice.below(7) }, () => dice.below(65_536).toString(16));
  return `${dice.pick(['fd00', 'fd12', '2001', 'fe80', 'fec0'])}:${groups.join(':')}${groups.length < 7 ? `::${dice.below(99) + 1}` : ''}`;
}
const cidr4 = (dice: Dice) => `${ipv4(dice)}/${dice.pick([24, 24, 24, 16, 8, 23, 30, 31, 32, 1 + dice.below(32)])}`;
const cidr6 = (dice: Dice) => `${ipv6(dice)}/${dice.pick([64, 64, 64, 48, 127, 128, 1 + dice.below(128)])}`;
const near = (address: string): string => address.replace(/([0-9a-f]+)\/\d+$/, (_, last) => (last === '1' ? '2' : '1'));

function randomEdit(dice: Dice, current: NetworkInterface): Record<string, unknown> {
  const v4 = cidr4(dice);
  const v6 = cidr6(dice);
  const fields: Record<string, () => unknown> = {
    role: () => dice.pick(['access', 'route', 'unused', 'management', ' Access ']),
    mode: () => dice.pick(['access', 'trunk', 'access', 'routed']),
    ipv4_method: () => dice.pick(['static', 'static', 'dhcp']),
    ipv4_cidr: () => dice.pick([v4, v4, v4, '', null]),
    ipv4_gateway: () => dice.pick([near(v4), near(current.ipv4_cidr), '']),
    ipv6_enabled: () => dice.chance(0.7),
    ipv6_cidr: () => dice.pick([v6, v6, v6, v6.toUpperCase(), '']),
    ipv6_gateway: () => dice.pick([near(v6), near(current.ipv6_cidr), 'fe80::1', '']),
    mtu: () => dice.pick([1500, 9000, 9216, 576, 1280, 576 + dice.below(8641)]),
    enabled: () => dice.chance(0.8),
    access_management_ui_enabled: () => dice.chance(0.3),
  };
  return Object.fromEntries(dice.some(Object.keys(fields), 0.3).map((field) => [field, fields[field]!()]));
}

/** The saved row, or null and the fields that were refused. */
function attempt(work: () => NetworkInterface): { saved: NetworkInterface | null; fields: string[] } {
  try {
    return { saved: work(), fields: [] };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { saved: null, fields: (error.members.errors ?? []).map(({ pointer }) => pointer) };
  }
}

/** Through the request's schema and the rules, as an operation does. */
function edit(current: NetworkInterface, body: unknown, all: readonly NetworkInterface[]) {
  const parsed = v.safeParse(physicalInterfaceUpdate, body);
  if (!parsed.success) return { saved: null, fields: parsed.issues.map((issue) => `/${v.getDotPath(issue)}`) };
  return attempt(() => editPhysical(current, parsed.output, all));
}
function addVlan(body: unknown, all: readonly NetworkInterface[]) {
  const parsed = v.safeParse(vlanCreate, body);
  if (!parsed.success) return { saved: null, fields: parsed.issues.map((issue) => `/${v.getDotPath(issue)}`) };
  return attempt(() => createVlan(parsed.output, all, IDENTITY));
}

/** Interfaces as operators make them: one edit after the other, the refused ones left out. */
function randomSet(dice: Dice, prefix: string): NetworkInterface[] {
  let all = Array.from({ length: 1 + dice.below(5) }, (_, index) =>
    row(`${prefix}${dice.pick(['e', '-n', '_'])}${index}`, { present: dice.chance(0.95) }),
  );
  all[0] = { ...all[0]!, present: true, role: 'management', ipv4_cidr: '198.51.100.7/24' };
  for (let count = 5 + dice.below(25); count > 0; count--) {
    const current = dice.pick(all.filter((each) => each.kind === 'physical'));
    if (current.mode === 'trunk' && dice.chance(0.8)) {
      const body = {
        parent_interface: current.name,
        vlan_id: 1 + dice.below(4094),
        ipv4_cidr: cidr4(dice),
        ...(dice.chance(0.5) && { ipv6_cidr: cidr6(dice) }),
        ...(dice.chance(0.3) && { mtu: 576 + dice.below(9000) }),
        role: dice.pick(['access', 'route', 'management']),
      };
      const { saved } = addVlan(body, all);
      if (saved) all = [...all, saved];
    } else {
      const { saved } = edit(current, randomEdit(dice, current), all);
      if (saved) all = all.map((each) => (each === current ? saved : each));
    }
  }
  // A link that is gone while another one bears its name now.
  const gone = row(`${prefix}e0-absent-x`, { role: 'access', present: false, enabled: false });
  return dice.chance(0.1) ? [...all, gone] : all;
}

test(`${WANTED} random sets that our validation accepts are accepted by networkd`, async () => {
  const dice = new Dice(SEED);
  const sets = Array.from({ length: WANTED }, (_, index) => {
    const prefix = `s${index}`;
    return { prefix, interfaces: randomSet(dice, prefix) };
  });
  expect(sets.flatMap(({ interfaces }) => ruleFaults({ interfaces }))).toEqual([]);
  // Nor by the guard, where root writes them.
  expect(sets.flatMap(({ interfaces }) => render({ interfaces }).flatMap((file) => fileRefusal(file) ?? []))).toEqual(
    [],
  );
  const refused = await complaints(sets);
  if (SHOW) {
    const rows = sets.flatMap(({ interfaces }) => interfaces);
    const files = sets.reduce((sum, { interfaces }) => sum + render({ interfaces }).length, 0);
    console.log(`${sets.length} sets, ${rows.length} interfaces, ${files} files, ${refused.size} refused by networkd`);
  }
  expect([...refused]).toEqual([]);
}, 300_000);

/** Text that is wrong in one place. */
const TEXT_FAULTS: readonly ((dice: Dice, text: string) => string)[] = [
  (dice, text) => text.replace(/\/\d+$/, `/${dice.pick([33, 129, 130, 200, 999, 4_294_967_296, -1])}`),
  (dice, text) =>
    text.replace(/\/\d+$/, dice.pick(['/', '/x', '/24x', '/2 4', '//24', '/255.255.255.0', '/1e1', '/0x18'])),
  (dice, text) => text.replace(/\d+/, String(dice.pick([256, 300, 999, 65_536]))),
  (_, text) => text.replace(/[.:][^.:/]+/, ''),
  (_, text) => text.replace('.', '..').replace('::', ':::'),
  (dice, text) => text.replace(/\//, `%${dice.pick(['eth0', '1'])}/`),
  (dice, text) => text.replace(/[.:]/, dice.pick([',', ';', ' ', '-', '.x.', ':g:'])),
  (dice, text) => {
    const at = dice.below(text.length + 1);
    return (
      text.slice(0, at) +
      dice.pick(['x', ' ', '/', '.', ':', '%', '#', '"', 'ä', '\n', '\nMTUBytes=x\n']) +
      text.slice(at)
    );
  },
  (dice) =>
    dice.pick([
      'dhcp',
      'none',
      'auto',
      '0',
      '10',
      '10.0.0',
      'fd00:',
      ':',
      '::/129',
      'localhost',
      '10.0.0.1/24/24',
      '1.2.3.4.5/24',
    ]),
];
const broken = (dice: Dice, text: string): string => dice.pick(TEXT_FAULTS)(dice, text);

interface NearMiss {
  field: string;
  value: unknown;
  base: NetworkInterface;
}

function nearMiss(dice: Dice, name: string): NearMiss {
  const v4 = `10.${octet(dice)}.${octet(dice)}.${2 + dice.below(250)}/24`;
  const v6 = `fd00:${dice.below(65_536).toString(16)}::${2 + dice.below(99)}/64`;
  const base = row(name, { role: 'access', ipv4_cidr: v4, ipv6_enabled: true, ipv6_cidr: v6 });
  const kinds: (() => [string, unknown])[] = [
    () => ['ipv4_cidr', broken(dice, v4)],
    () => ['ipv6_cidr', broken(dice, v6)],
    () => ['ipv4_gateway', broken(dice, near(v4).replace(/\/.*/, ''))],
    () => ['ipv6_gateway', broken(dice, dice.chance(0.5) ? 'fe80::1' : near(v6).replace(/\/.*/, ''))],
    () => [
      'mtu',
      dice.pick([
        dice.below(68),
        -dice.below(2000),
        1500.5,
        4_294_967_296 + dice.below(1000),
        '1500x',
        '',
        '1 500',
        1e21,
      ]),
    ],
    () => ['vlan_id', dice.pick([4095, 4096 + dice.below(70_000), -1 - dice.below(10), 1.5, 'ten', ''])],
    () => ['parent_interface', dice.pick(['-long-name-x', '-abcdefghij', '_lower_rack'])],
  ];
  const [field, value] = dice.pick(kinds)();
  return { field, value, base };
}

/** Our answer to the near miss, and the rows that its files come from if nobody refused it. */
function ours({ field, value, base }: NearMiss): {
  saved: NetworkInterface[] | null;
  fields: string[];
  raw: NetworkInterface[];
} {
  if (field !== 'vlan_id' && field !== 'parent_interface') {
    const { saved, fields } = edit(base, { [field]: value }, [base]);
    return { saved: saved && [saved], fields, raw: [{ ...base, [field]: value } as NetworkInterface] };
  }
  const name = field === 'parent_interface' ? `${base.name}${value}` : base.name;
  const trunk = row(name, { mode: 'trunk' });
  const vlan_id = field === 'vlan_id' ? value : 4000;
  const vlan = {
    ...base,
    kind: 'vlan',
    name: `${base.name}.${String(vlan_id).slice(0, 4)}`,
    parent_interface: name,
    vlan_id,
  };
  if (field === 'parent_interface') vlan.name = `${name}.4000`;
  const body = { parent_interface: name, vlan_id, ipv4_cidr: base.ipv4_cidr };
  const { saved, fields } = addVlan(body, [trunk]);
  return { saved: saved && [trunk, saved], fields, raw: [trunk, vlan as NetworkInterface] };
}

test(`${WANTED} near misses that networkd refuses are refused by our validation, with a field`, async () => {
  const dice = new Dice(SEED + 1);
  const count = { refused: 0, stricter: 0, accepted: 0 };
  const byField: Record<string, number> = {};
  const disagreed: unknown[] = [];
  for (let round = 0; count.refused < WANTED && round < WANTED; round++) {
    const tries = Array.from({ length: BATCH }, (_, index) => {
      const prefix = `m${round * BATCH + index}`;
      const miss = nearMiss(dice, prefix);
      return { prefix, miss, ...ours(miss) };
    });
    const refused = await complaints(tries.map(({ prefix, saved, raw }) => ({ prefix, interfaces: saved ?? raw })));
    for (const { prefix, miss, saved, fields } of tries) {
      const said = refused.get(prefix);
      if (!said) count[saved ? 'accepted' : 'stricter']++;
      else {
        count.refused++;
        byField[miss.field] = (byField[miss.field] ?? 0) + 1;
        if (saved || fields.length === 0) disagreed.push({ field: miss.field, value: miss.value, fields, said });
      }
    }
  }
  if (SHOW) console.log(count, byField);
  expect(disagreed).toEqual([]);
  expect(count.refused).toBeGreaterThanOrEqual(WANTED);
}, 300_000);

test('names of links that networkd refuses, or takes for patterns, are refused by our check', async () => {
  // The kernel permits these; it has no names with spaces, colons or slashes.
  const names = [
    'n0%d',
    'n1%n',
    '12',
    'all',
    'default',
    'n2*',
    'n3?',
    'n4[0]',
    '!n5',
    'n6-x',
    'n7_x',
    'n8.x',
    'n9@x',
    'n10+x',
  ];
  const read = await complaints(
    names.map((name) => ({ prefix: name, interfaces: [row(name, { role: 'access', ipv4_cidr: '10.1.1.1/24' })] })),
  );
  const said = [...read.values()].flat().join();
  for (const name of names) {
    const role = 'management' as const;
    const faults = ruleFaults({ interfaces: [row(name, { role, ipv4_cidr: '10.1.1.1/24' })] });
    const plain = /^n\d+[-_.@+]x$/.test(name);
    expect({ name, faults: faults.length }).toEqual({ name, faults: plain ? 0 : 1 });
    if (plain) expect(said).not.toContain(`-${name}.network`);
  }
  for (const name of ['n0%d', '12', 'all', 'default']) expect(said).toContain(`-${name}.network`);
}, 120_000);
