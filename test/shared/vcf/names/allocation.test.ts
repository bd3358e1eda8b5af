// Which addresses missing names get, as a pure function over blocks: from the first one on, within the network, past what is
// taken, and the runs of free ones behind them.
import { describe, expect, test } from '@jest/globals';
import { type Cidr, formatAddress, parseCidr } from '../../../../shared/ground/addresses/address.ts';
import {
  allocate,
  type Block,
  blockOf,
  FREE,
  FULL_BLOCK,
  freeRun,
  RESERVED,
  USED,
} from '../../../../shared/vcf/names/allocation.ts';

const cidr = (text: string): Cidr => parseCidr(text)!;

/** A block that is free but for these places in it. */
function block(taken: Readonly<Record<number, number>> = {}): Block {
  const made = new Uint8Array(256).fill(FREE);
  for (const [at, kind] of Object.entries(taken)) made[Number(at)] = kind;
  return made;
}

const addresses = (start: string, wanted: number, ...blocks: Block[]): string[] =>
  allocate(cidr(start), wanted, { blocks }).given.map(({ address }) => address);

/** Values of a network by their last number. */
const value = (start: Cidr, offset: number): bigint => blockOf(start.first) + BigInt(offset);

describe('names get', () => {
  test('the addresses from the first one on, past records and reservations, each of which is told', () => {
    const { given, free, whole, next } = allocate(cidr('10.0.0.20/24'), 3, {
      blocks: [block({ 20: USED, 22: RESERVED, 23: USED, 25: USED })],
    });
    expect(given).toEqual([
      { address: '10.0.0.21', passed: { count: 1, first: [{ address: '10.0.0.20', by: 'record' }] } },
      {
        address: '10.0.0.24',
        passed: {
          count: 2,
          first: [
            { address: '10.0.0.22', by: 'reservation' },
            { address: '10.0.0.23', by: 'record' },
          ],
        },
      },
      { address: '10.0.0.26', passed: { count: 1, first: [{ address: '10.0.0.25', by: 'record' }] } },
    ]);
    // .20 to .254 but for the four that are taken.
    expect({ free, whole, next }).toEqual({ free: 231, whole: true, next: '10.0.0.27' });
  });

  test('neither the network address nor the broadcast address of IPv4, and the last of IPv6', () => {
    expect(allocate(cidr('10.0.0.0/30'), 4, { blocks: [block()] })).toEqual({
      given: [
        { address: '10.0.0.1', passed: { count: 1, first: [{ address: '10.0.0.0', by: 'network' }] } },
        { address: '10.0.0.2', passed: { count: 0, first: [] } },
      ],
      free: 2,
      whole: true,
      next: null,
    });
    expect(addresses('fd00::/126', 4, block())).toEqual(['fd00::1', 'fd00::2', 'fd00::3']);
    // The last address of a block is no broadcast address where the network goes on.
    expect(addresses('10.0.0.255/23', 2, block(), block())).toEqual(['10.0.0.255', '10.0.1.0']);
  });

  test('three of the passed ones named, and a full block counted as a whole', () => {
    const { given, free, whole } = allocate(cidr('10.0.0.250/23'), 1, { blocks: [FULL_BLOCK, block({ 0: USED })] });
    expect(given).toEqual([
      {
        address: '10.0.1.1',
        passed: {
          count: 7,
          first: [250, 251, 252].map((at) => ({ address: `10.0.0.${at}`, by: 'record' })),
        },
      },
    ]);
    expect({ free, whole }).toEqual({ free: 254, whole: true });
    // A full block that the network ends in holds no more than that.
    expect(allocate(cidr('10.0.0.4/29'), 1, { blocks: [FULL_BLOCK] })).toEqual({
      given: [],
      free: 0,
      whole: true,
      next: null,
    });
  });

  test('as many as were seen, and what was not seen is not said to be all', () => {
    const seen = allocate(cidr('10.0.0.254/16'), 5, { blocks: [block()] });
    expect([seen.given.map(({ address }) => address), seen.free, seen.whole, seen.next]).toEqual([
      ['10.0.0.254', '10.0.0.255'],
      2,
      false,
      null,
    ]);
    expect(allocate(cidr('10.0.0.254/16'), 5, { blocks: [] })).toEqual({
      given: [],
      free: 0,
      whole: false,
      next: null,
    });
    // The very address that would be next is the last one of the network.
    expect(allocate(cidr('10.0.1.0/32'), 1, { blocks: [] }).whole).toBe(false);
    expect(allocate(cidr('10.0.0.9/24'), 0, { blocks: [block()] }).next).toBe('10.0.0.9');
  });
});

describe('a run of free addresses', () => {
  const start = cidr('10.0.0.20/24');
  const run = (count: number, after: number, closed: [number, number][] = [], taken = {}, more: Block[] = []) =>
    freeRun(
      start,
      { blocks: [block(taken), ...more] },
      count,
      value(start, after),
      closed.map(([from, to]) => [value(start, from), value(start, to)] as const),
    );
  const pair = (first: number, last: number) => ({ first: `10.0.0.${first}`, last: `10.0.0.${last}` });

  test('begins after the last given address', () => {
    expect(run(3, 22)).toEqual(pair(23, 25));
    // Nor before the first address that is asked for, wherever the last given one lies.
    expect(run(1, 5)).toEqual(pair(20, 20));
    expect(run(2, 252)).toEqual(pair(253, 254));
    expect(run(3, 252)).toBeNull();
  });

  test('is broken by what is taken, and by reservations', () => {
    expect(run(3, 20, [], { 22: USED, 25: RESERVED })).toEqual(pair(26, 28));
    expect(run(2, 20, [], { 22: USED, 25: RESERVED })).toEqual(pair(23, 24));
  });

  test('touches neither the first nor the last address of a closed span, and may stand right beside it', () => {
    expect(run(2, 20, [[23, 30]])).toEqual(pair(21, 22));
    expect(run(3, 20, [[23, 30]])).toEqual(pair(31, 33));
    expect(run(3, 20, [[23, 23]])).toEqual(pair(24, 26));
    // Two spans with one address between them.
    expect(
      run(1, 21, [
        [22, 24],
        [26, 40],
      ]),
    ).toEqual(pair(25, 25));
    expect(
      run(2, 21, [
        [22, 24],
        [26, 40],
      ]),
    ).toEqual(pair(41, 42));
  });

  test('goes on into the next block, and past a full one', () => {
    const wide = cidr('10.0.0.20/22');
    const seen = (...blocks: Block[]) => freeRun(wide, { blocks }, 4, value(wide, 253), []);
    expect(seen(block(), block())).toEqual({ first: '10.0.0.254', last: '10.0.1.1' });
    expect(seen(block(), FULL_BLOCK, block())).toEqual({ first: '10.0.2.0', last: '10.0.2.3' });
    expect(seen(block())).toBeNull();
  });

  test('of IPv6 is written as IPv6', () => {
    const six = cidr('fd00::20/64');
    const found = freeRun(six, { blocks: [block()] }, 2, six.first + 0x20n, []);
    expect(found).toEqual({ first: formatAddress(6, six.first + 0x21n), last: 'fd00::22' });
  });
});
