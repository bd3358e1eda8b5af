// Numbers over time in a file of fixed size: each tier is a ring of slots, a slot for each period. An old slot is written
// over; nothing grows. The file is no part of the database: a sample every half minute would keep its log busy, and what is
// lost with a power cut are points of a chart.
//
// Layout: a header of 64 bytes (the magic, the SHA-256 of the names and tiers), then the tiers one after the other. A slot is
// the second of its sample since 1970 and a number for each series, all 64-bit floats, little endian; 0: never written.
import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

export interface Tier {
  /** Seconds of a slot. */
  every: number;
  slots: number;
}

export interface RingLayout {
  series: readonly string[];
  tiers: readonly Tier[];
}

export interface Point {
  /** Seconds since 1970. */
  at: number;
  /** In the order of the series; NaN: not known. */
  values: readonly number[];
}

const MAGIC = Buffer.from('gc-ring\n');
const HEADER = 64;
const NUMBER = 8;

export class Ring {
  readonly #path: string;
  readonly #layout: RingLayout;
  /** Of each tier: the slot that is being filled, and the sums of its samples. */
  readonly #filling = new Map<number, { slot: number; sums: number[]; counts: number[] }>();

  /** The file is opened for each call: nothing has to be closed when the appliance stops. */
  constructor(path: string, layout: RingLayout) {
    this.#path = path;
    this.#layout = layout;
  }

  /**
   * A number for each series; of a tier whose slots are longer than the samples are apart, their mean. A file of
   * another layout, or one that is damaged, is begun anew.
   */
  async append({ at, values }: Point): Promise<void> {
    const file = await open(this.#path, 'r+').catch(() => open(this.#path, 'w+', 0o600));
    try {
      if (!(await this.#holds(file))) {
        await file.truncate(0);
        await file.truncate(sizeOf(this.#layout));
        await file.write(headerOf(this.#layout), 0, HEADER, 0);
      }
      for (const [tier, { every, slots }] of this.#layout.tiers.entries()) {
        const slot = Math.floor(at / every);
        const mean = this.#mean(tier, slot, values);
        const bytes = Buffer.alloc(this.#slotBytes);
        for (const [index, number] of [at, ...mean].entries()) bytes.writeDoubleLE(number, index * NUMBER);
        await file.write(bytes, 0, bytes.length, this.#offset(tier) + (slot % slots) * this.#slotBytes);
      }
    } finally {
      await file.close();
    }
  }

  /** Whether the file is one of this layout, whole. */
  async #holds(file: FileHandle): Promise<boolean> {
    const { size } = await file.stat();
    if (size !== sizeOf(this.#layout)) return false;
    const found = Buffer.alloc(HEADER);
    await file.read(found, 0, HEADER, 0);
    return found.equals(headerOf(this.#layout));
  }

  #mean(tier: number, slot: number, values: readonly number[]): number[] {
    let filling = this.#filling.get(tier);
    if (filling?.slot !== slot) {
      filling = { slot, sums: values.map(() => 0), counts: values.map(() => 0) };
      this.#filling.set(tier, filling);
    }
    const { sums, counts } = filling;
    return values.map((value, index) => {
      if (Number.isFinite(value)) {
        sums[index]! += value;
        counts[index]! += 1;
      }
      return counts[index] === 0 ? Number.NaN : sums[index]! / counts[index]!;
    });
  }

  /**
   * What a tier holds that is not older than its ring, oldest first. `until`: seconds since 1970; later points are left out.
   * Reading writes nothing: a file that is missing or damaged has no points.
   */
  async read(tier: number, until: number): Promise<Point[]> {
    const { every, slots } = this.#layout.tiers[tier]!;
    const bytes = Buffer.alloc(slots * this.#slotBytes);
    const file = await open(this.#path, 'r').catch(() => null);
    if (file === null) return [];
    try {
      if (!(await this.#holds(file))) return [];
      await file.read(bytes, 0, bytes.length, this.#offset(tier));
    } finally {
      await file.close();
    }
    const points: Point[] = [];
    for (let slot = 0; slot < slots; slot++) {
      const start = slot * this.#slotBytes;
      const at = bytes.readDoubleLE(start);
      if (!(at > until - every * slots && at <= until)) continue;
      const values = this.#layout.series.map((_name, index) => bytes.readDoubleLE(start + (index + 1) * NUMBER));
      points.push({ at, values });
    }
    return points.sort((one, other) => one.at - other.at);
  }

  get #slotBytes(): number {
    return (this.#layout.series.length + 1) * NUMBER;
  }

  #offset(tier: number): number {
    const before = this.#layout.tiers.slice(0, tier).reduce((sum, { slots }) => sum + slots, 0);
    return HEADER + before * this.#slotBytes;
  }
}

/** Bytes of the file, whatever is in it. */
export const sizeOf = ({ series, tiers }: RingLayout): number =>
  HEADER + tiers.reduce((sum, { slots }) => sum + slots, 0) * (series.length + 1) * NUMBER;

function headerOf(layout: RingLayout): Buffer {
  const digest = createHash('sha256')
    .update(JSON.stringify([layout.series, layout.tiers.map(({ every, slots }) => [every, slots])]))
    .digest();
  return Buffer.concat([MAGIC, digest, Buffer.alloc(HEADER - MAGIC.length - digest.length)]);
}
