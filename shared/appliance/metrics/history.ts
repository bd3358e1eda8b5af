// What is drawn over time: a few numbers of the appliance, kept for a day by half minutes and for thirty days by tens of
// minutes.
import { cpus, freemem, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Family, Sample } from '../../ground/metrics/exposition.ts';
import { Ring, type RingLayout } from '../../ground/metrics/ring.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { HISTORY_FILE } from './history-file.ts';
import { SAMPLED_EVERY } from './sampled-every.ts';

interface Series {
  /** Also the key in the file: a name that changes begins the file anew. */
  key: string;
  label: string;
  /** Of the number, for axes and tables. */
  unit: string;
  /** Places behind the point. */
  digits: number;
  value(seen: Seen): number;
}

/** One look, and the one before it: rates are made of the two. */
interface Seen {
  now: Look;
  before: Look | null;
}

export interface Look {
  /** Seconds since 1970. */
  at: number;
  families: readonly Family[];
  /** Processor time of the machine since it started: idle, and in all. */
  processors: { idle: number; all: number };
}

const samplesOf = ({ families }: Look, name: string): readonly Sample[] =>
  families.find((family) => family.name === name)?.samples ?? [];

function sum(look: Look, name: string): number {
  const samples = samplesOf(look, name);
  return samples.length === 0 ? Number.NaN : samples.reduce((total, { value }) => total + value, 0);
}

/** A counter that began anew has no rate for once. */
function perMinute({ now, before }: Seen, name: string): number {
  if (!before || now.at <= before.at) return Number.NaN;
  const more = sum(now, name) - sum(before, name);
  return more < 0 ? Number.NaN : (60 * more) / (now.at - before.at);
}

function busy({ now, before }: Seen): number {
  const all = before ? now.processors.all - before.processors.all : 0;
  return all > 0 ? 100 * (1 - (now.processors.idle - before!.processors.idle) / all) : Number.NaN;
}

/** Of the disk that holds the data of the service, in percent. */
function dataUsed(look: Look): number {
  const [size, free] = ['groundcrew_disk_size_bytes', 'groundcrew_disk_free_bytes'].map(
    (name) => samplesOf(look, name).find(({ labels }) => labels?.holds === 'data')?.value ?? Number.NaN,
  ) as [number, number];
  return (100 * (size - free)) / size;
}

export const SERIES = [
  {
    key: 'requests',
    label: 'Requests',
    unit: 'per minute',
    digits: 0,
    value: (of) => perMinute(of, 'groundcrew_http_requests'),
  },
  {
    key: 'names',
    label: 'DNS queries',
    unit: 'per minute',
    digits: 0,
    value: (of) => perMinute(of, 'groundcrew_dns_queries'),
  },
  {
    key: 'time',
    label: 'NTP requests',
    unit: 'per minute',
    digits: 0,
    value: (of) => perMinute(of, 'groundcrew_ntp_requests'),
  },
  {
    key: 'leases',
    label: 'DHCP leases',
    unit: 'leases',
    digits: 0,
    value: ({ now }) => sum(now, 'groundcrew_dhcp_leases'),
  },
  {
    key: 'offset',
    label: 'Clock offset',
    unit: 'ms',
    digits: 2,
    value: ({ now }) => 1_000 * sum(now, 'groundcrew_ntp_offset_seconds'),
  },
  { key: 'processors', label: 'CPU use', unit: '%', digits: 0, value: busy },
  { key: 'memory', label: 'Memory use', unit: '%', digits: 0, value: () => 100 * (1 - freemem() / totalmem()) },
  {
    key: 'disk',
    label: 'Data disk use',
    unit: '%',
    digits: 1,
    value: ({ now }) => dataUsed(now),
  },
] as const satisfies readonly Series[];
export type SeriesKey = (typeof SERIES)[number]['key'];

/** Tier of the file → what a reader chooses. */
export const RANGES = { day: 0, month: 1 } as const;
export type HistoryRange = keyof typeof RANGES;

export const LAYOUT: RingLayout = {
  series: SERIES.map(({ key }) => key),
  tiers: [
    { every: SAMPLED_EVERY, slots: 86_400 / SAMPLED_EVERY },
    { every: 600, slots: 30 * 144 },
  ],
};

interface Kept {
  ring: Ring;
  last: Look | null;
}

/** By store, so that each appliance of a test has its own. */
const kept = new WeakMap<object, Kept>();

type Shell = Pick<Services, 'store' | 'settings' | 'clock'>;

function historyOf({ store, settings }: Pick<Shell, 'store' | 'settings'>): Kept {
  const found = kept.get(store) ?? { ring: new Ring(join(settings.data, HISTORY_FILE), LAYOUT), last: null };
  kept.set(store, found);
  return found;
}

/** Writes down what the families say now. */
export async function remember(shell: Shell, families: readonly Family[]): Promise<void> {
  const history = historyOf(shell);
  const now: Look = { at: Math.floor(shell.clock.now().getTime() / 1000), families, processors: processors() };
  const values = SERIES.map(({ value }) => value({ now, before: history.last }));
  history.last = now;
  await history.ring.append({ at: now.at, values });
}

export interface History {
  /** Seconds since 1970 of the first and last moment that are drawn. */
  from: number;
  until: number;
  /** Seconds between two points. */
  every: number;
  series: { key: SeriesKey; label: string; unit: string; digits: number; points: { at: number; value: number }[] }[];
}

/** Oldest first, without points that are not known. */
export async function readHistory(shell: Shell, range: HistoryRange): Promise<History> {
  const until = Math.floor(shell.clock.now().getTime() / 1000);
  const { every, slots } = LAYOUT.tiers[RANGES[range]]!;
  const points = await historyOf(shell).ring.read(RANGES[range], until);
  return {
    from: until - every * slots,
    until,
    every,
    series: SERIES.map(({ key, label, unit, digits }, index) => ({
      ...{ key, label, unit, digits },
      points: points
        .map(({ at, values }) => ({ at, value: values[index]! }))
        .filter(({ value }) => Number.isFinite(value)),
    })),
  };
}

function processors(): Look['processors'] {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((before, time) => before + time.idle, 0);
  return { idle, all: times.reduce((before, { user, nice, sys, irq }) => before + user + nice + sys + irq, idle) };
}
