// DNS records and zones as values: which are accepted, in which spelling, and what may stand beside what.

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalZone, zoneOf } from '../../../../../shared/ground/addresses/zone-name.ts';
import { Problem } from '../../../../../shared/ground/problems.ts';
import { directiveFor } from '../../../../../shared/services/dns-dhcp/directives.ts';
import {
  canonicalRecord,
  RECORD_TYPES,
  type RecordData,
} from '../../../../../shared/services/dns-dhcp/dns/record-data.ts';
import {
  aliasTargetFault,
  recordConflicts,
  zoneOfRecord,
} from '../../../../../shared/services/dns-dhcp/dns/record-rules.ts';
import { ACCEPTED, REFUSED } from '../../../../fixtures/dns-dhcp/record-tables.ts';

describe('record data', () => {
  test.each(ACCEPTED)('%s %s is stored in one form, again and again', (type, fqdn, value, canonicalFqdn, canonical) => {
    const once = canonicalRecord({ type, fqdn, value });
    expect(once).toEqual({ type: type.toUpperCase(), fqdn: canonicalFqdn, value: canonical });
    expect(canonicalRecord(once)).toEqual(once);
  });

  test.each(REFUSED)('%s %j %j is refused', (type, fqdn, value, pointer) => {
    let problem: unknown;
    try {
      canonicalRecord({ type, fqdn, value });
    } catch (thrown) {
      problem = thrown;
    }
    expect(problem).toBeInstanceOf(Problem);
    const { status, members } = problem as Problem;
    expect({ status, pointer: members.errors?.[0]?.pointer }).toEqual({ status: 422, pointer });
  });

  test('no accepted record makes more than one line or reaches beyond its quotes', () => {
    const tricky = fc.stringMatching(/^[a-z0-9"\\,#\n\r\t ./:;=_-]{0,60}$/);
    const near = fc.stringMatching(/^[a-z0-9"\\,# ./:;=_-]{1,60}$/);
    const shaped = fc.oneof(
      tricky,
      near,
      near.map((text) => `0 issue "${text.replace(/["\\]/g, '')}"`),
      tricky.map((text) => `0 issue "${text}"`),
      tricky.map((text) => `0 0 1 ${text}`),
      fc.domain().map((name) => `5 ${name}`),
      fc.domain(),
      fc.ipV4(),
      fc.string({ unit: 'binary', maxLength: 400 }),
    );
    const owner = fc.oneof(
      fc.constantFrom('lab.test', '_a._tcp.lab.test', '1.0.0.10.in-addr.arpa'),
      fc.constantFrom('lab.test', 'a.lab.test'),
      tricky.map((text) => `${text}.lab.test`),
    );
    let accepted = 0;
    fc.assert(
      fc.property(owner, fc.constantFrom(...RECORD_TYPES), shaped, (fqdn, type, value) => {
        let record: RecordData;
        try {
          record = canonicalRecord({ fqdn, type, value });
        } catch (thrown) {
          return thrown instanceof Problem;
        }
        accepted += 1;
        const line = directiveFor(record) ?? `${record.value} ${record.fqdn}`;
        const bare = line.replace(/"(?:[^"\\]|\\["\\])*"/g, '');
        return (
          /^[\x20-\x7e]{1,1000}$/.test(line) &&
          !/["#\\]/.test(bare) &&
          (type === 'TXT' || !bare.includes(' ') || /^\S+ \S+$/.test(bare))
        );
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

const record = (fqdn: string, type: RecordData['type'], value: string): RecordData => ({ fqdn, type, value });

describe('rules across records', () => {
  const alias = record('a.lab.test', 'CNAME', 'b.lab.test');
  const address = record('a.lab.test', 'A', '10.0.0.1');
  const reverse = record('1.0.0.10.in-addr.arpa', 'PTR', 'a.lab.test');
  test.each<[string, RecordData, { type: string; value: string }[], string | null]>([
    ['a duplicate', address, [address], 'exists already'],
    ['a second address', address, [{ type: 'A', value: '10.0.0.2' }], null],
    ['an alias beside an address', alias, [address], 'RFC 1034'],
    ['an address beside an alias', address, [alias], 'RFC 1034'],
    ['a second alias', alias, [{ type: 'CNAME', value: 'c.lab.test' }], 'alias already'],
    ['an alias to itself', record('a.lab.test', 'CNAME', 'a.lab.test'), [], 'at itself'],
    ['an alias at the apex', record('lab.test', 'CNAME', 'b.lab.test'), [], 'zone itself'],
    ['a second reverse record', reverse, [{ type: 'PTR', value: 'b.lab.test' }], 'only one'],
    ['another type', record('a.lab.test', 'TXT', 'x'), [address], null],
  ])('%s', (_name, candidate, existing, expected) => {
    const conflict = recordConflicts(candidate, existing, 'lab.test');
    if (expected === null) expect(conflict).toBeNull();
    else expect(conflict).toContain(expected);
  });

  test('an alias may only point into a managed zone', () => {
    expect(aliasTargetFault(alias, ['lab.test'])).toBeNull();
    expect(aliasTargetFault(record('a.lab.test', 'CNAME', 'www.other.test'), ['lab.test'])).toContain('managed zone');
  });

  test('the longest zone wins, and a label boundary counts', () => {
    const zones = ['lab.test', 'site.lab.test'];
    expect(zoneOf('a.site.lab.test', zones)).toBe('site.lab.test');
    expect(zoneOf('lab.test', zones)).toBe('lab.test');
    expect(zoneOf('xlab.test', zones)).toBeNull();
    expect(zoneOfRecord(record('1.0.0.10.in-addr.arpa', 'PTR', 'a.lab.test'), zones)).toBe('lab.test');
    expect(zoneOfRecord(reverse, ['0.0.10.in-addr.arpa', 'lab.test'])).toBe('0.0.10.in-addr.arpa');
  });

  test.each(['', 'in-addr.arpa', 'a.invalid', 'localhost', 'lab..test', '*.lab', 'lab.12', 'a b', 'x/y'])(
    'zone %j is refused',
    (name) => expect(() => canonicalZone(name)).toThrow(Problem),
  );

  test('zone names are canonical', () => {
    expect(canonicalZone(' Lab.Test. ')).toBe('lab.test');
    expect(canonicalZone('_msdcs.lab.test')).toBe('_msdcs.lab.test');
    expect(canonicalZone('0.0.10.in-addr.arpa')).toBe('0.0.10.in-addr.arpa');
  });
});
