// Leases that are followed line by line are those of the whole file, whatever became of it between two looks.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareAddresses, parseAddress } from '../../../../../shared/ground/addresses/address.ts';
import { KnownLeases } from '../../../../../shared/services/dns-dhcp/dhcp/known-leases.ts';
import { readLeaseFile } from '../../../../../shared/services/dns-dhcp/dhcp/leases.ts';

const hex = (value: number): string => value.toString(16).padStart(2, '0');
const DUID = 'duid 00:01:00:01:32:94:12:1c:22:a8:a7:37:44:e5';

const v4 = (at: number, expires: number, name = `guest${at}`): string =>
  `${expires} 02:00:00:00:${hex(at >> 8)}:${hex(at & 255)} 10.70.${at >> 8}.${at & 255} ${name} *`;
const v6 = (at: number, expires: number): string =>
  `${expires} ${at} fd00:20::${at.toString(16)} nested${at} 00:03:00:01:00:50:56:01:00:80`;

/** All of the file, without what was known of it: each line once, in the order of the addresses. */
function anew(text: string, now: number): string[] {
  const lines = [...new Set(text.split('\n'))];
  const leases = lines.flatMap((line) => readLeaseFile(line).leases);
  const placed = leases.map((lease) => ({ lease, address: parseAddress(lease.ip_address)! }));
  return placed
    .filter(({ lease: { expires } }) => expires === 0 || expires > now)
    .sort((one, other) => compareAddresses(one.address, other.address))
    .map(({ lease }) => JSON.stringify(lease));
}

const told = (known: KnownLeases, now: number): string[] =>
  known.livingAt(now).map(({ lease }) => JSON.stringify(lease));

const expiry = fc.oneof(fc.constant(0), fc.integer({ min: 90, max: 130 }), fc.constant(4_102_444_800));
const line = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.integer({ min: 0, max: 900 }), expiry).map(([at, until]) => v4(at, until)) },
  { weight: 2, arbitrary: fc.tuple(fc.integer({ min: 1, max: 60 }), expiry).map(([at, until]) => v6(at, until)) },
  fc.constantFrom('', 'a line of a later release', DUID, 'duid 00:01', '12 x', `${v4(3, 100)} more`),
);

type Edit = (lines: string[]) => void;
const place = fc.nat({ max: 100_000 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  // Renewed, as often as not by another line that is as long.
  fc.tuple(place, expiry).map(
    ([at, until]): Edit =>
      (lines) => {
        if (lines.length > 0) lines[at % lines.length] = lines[at % lines.length]!.replace(/^\d+/, String(until));
      },
  ),
  fc.tuple(place, line).map(
    ([at, added]): Edit =>
      (lines) =>
        void lines.splice(at % (lines.length + 1), 0, added),
  ),
  line.map(
    (added): Edit =>
      (lines) =>
        void lines.unshift(added),
  ),
  place.map(
    (at): Edit =>
      (lines) =>
        void lines.splice(at % (lines.length + 1), 1),
  ),
  fc.tuple(place, place).map(
    ([one, other]): Edit =>
      (lines) => {
        if (lines.length > 0) lines.push(...lines.splice(one % lines.length, (other % 7) + 1));
      },
  ),
  place.map(
    (at): Edit =>
      (lines) => {
        if (lines.length > 0) lines.push(lines[at % lines.length]!);
      },
  ),
  fc.constant<Edit>((lines) => void lines.reverse()),
  fc.constant<Edit>((lines) => void lines.splice(0)),
);

describe('leases that are followed', () => {
  test('are those of the whole file after any edits, at any time', () => {
    const large = Array.from({ length: 800 }, (_, at) => v4(at, 4_102_444_800 + at));
    const begin = fc.oneof(fc.array(line, { maxLength: 30 }), fc.constant(large), fc.constant([DUID, ...large]));
    const looks = fc.array(
      fc.tuple(fc.array(edit, { maxLength: 6 }), fc.integer({ min: 80, max: 140 }), fc.boolean()),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(begin, looks, (first, rounds) => {
        const lines = [...first];
        const known = new KnownLeases();
        known.read(lines.join('\n'));
        for (const [edits, now, ends] of rounds) {
          for (const change of edits) change(lines);
          const text = `${lines.join('\n')}${ends ? '\n' : ''}`;
          known.read(text);
          expect(told(known, now)).toEqual(anew(text, now));
          // And at another time, without another file.
          expect(told(known, now - 9)).toEqual(anew(text, now - 9));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a lease that is renewed, one that is new and one that goes are the only ones that are another object', () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => v4(at, 4_102_444_800));
    const known = new KnownLeases();
    known.read(`${lines.join('\n')}\n`);
    const before = new Set(known.livingAt(100));
    lines[7] = v4(7, 4_102_444_801);
    lines[1_500] = v4(1_500, 4_102_444_802);
    lines.splice(900, 1);
    lines.unshift(v4(3_000, 4_102_444_803));
    known.read(`${lines.join('\n')}\n`);
    const other = known.livingAt(100).filter((each) => !before.has(each));
    expect(other.map(({ lease }) => lease.hostname)).toEqual(['guest7', 'guest1500', 'guest3000']);
    expect(known.livingAt(100)).toHaveLength(2_000);
  });

  test('a file is known by its stamp, and without one never', () => {
    const known = new KnownLeases();
    expect([known.isOf(null), known.isOf('1')]).toEqual([false, false]);
    known.read(v4(1, 0), '1');
    expect([known.isOf(null), known.isOf('1'), known.isOf('2')]).toEqual([false, true, false]);
    known.read(v4(1, 0));
    expect([known.isOf(null), known.isOf('1')]).toEqual([false, false]);
  });

  test('with two lines of one address both are there, until one goes', () => {
    const known = new KnownLeases();
    const twins = [v4(1, 200), v4(1, 300, 'other'), v4(2, 0)];
    known.read(twins.join('\n'));
    expect(told(known, 100)).toEqual(anew(twins.join('\n'), 100));
    known.read(twins.slice(1).join('\n'));
    expect(known.livingAt(100).map(({ lease }) => lease.hostname)).toEqual(['other', 'guest2']);
  });
});
