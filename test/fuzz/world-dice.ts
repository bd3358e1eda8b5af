// Repeatable choices, and choices of addresses.
import { type Cidr, contains, parseAddress, withOffset } from '../../shared/ground/addresses/address.ts';
import type { AddressFamily } from '../../shared/platform/interfaces/refresh/snapshot.ts';

/** Where edits lead: few enough that reservations and records can stand in the way there. */
export const TARGETS = { ipv4: ['10.100.0.0', '10.101.0.0', '10.102.0.0'], ipv6: ['fd01::', 'fd02::', 'fd03::'] };
export const FAMILIES: readonly AddressFamily[] = ['ipv4', 'ipv6'];
export const BITS = { ipv4: 32, ipv6: 128 } as const;
const PREFIXES = {
  ipv4: [24, 24, 24, 24, 24, 16, 22, 25, 26, 28, 30, 31],
  ipv6: [64, 64, 64, 64, 56, 112, 120, 127],
} as const;

/** Repeatable choices. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }
  /** 0 to 1, the upper end left out. */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  below(count: number): number {
    return Math.floor(this.roll() * count);
  }
  chance(share: number): boolean {
    return this.roll() < share;
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
  /** Each with the given chance. */
  some<T>(items: readonly T[], share: number): T[] {
    return items.filter(() => this.chance(share));
  }
}

/** A host address of a network, more often a low one; `offset` is tried first. */
export function hostIn(dice: Dice, network: Cidr, offset?: bigint): string {
  const size = Number(network.last - network.first > 4000n ? 4000n : network.last - network.first) + 1;
  const low = Math.min(size, 256);
  for (let tries = 0; ; tries++) {
    const wanted = tries === 0 && offset !== undefined ? offset : BigInt(dice.below(dice.chance(0.9) ? low : size));
    const found = withOffset(network, wanted);
    if (found) return found.text;
  }
}

export const prefixIn = (dice: Dice, family: AddressFamily): number => dice.pick(PREFIXES[family]);

/** Whether an address text lies in a network. */
export const within = (network: Cidr, text: string): boolean => {
  const address = parseAddress(text);
  return address !== null && contains(network, address);
};
