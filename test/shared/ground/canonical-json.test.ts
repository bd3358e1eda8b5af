// Canonical JSON: the examples of RFC 8785, and that only the one text of a value is read.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteSource } from '../../../shared/ground/byte-source.ts';
import {
  canonicalJson,
  canonicalLines,
  JSON_LIMITS,
  JsonFault,
  type JsonFaultCode,
  readCanonicalJson,
  readCanonicalLines,
} from '../../../shared/ground/canonical-json.ts';

function faultOf(text: string | Buffer): JsonFaultCode | null {
  try {
    readCanonicalJson(Buffer.from(text as string));
    return null;
  } catch (error) {
    if (error instanceof JsonFault) return error.fault;
    throw error;
  }
}

async function lines(...pieces: Buffer[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readCanonicalLines(pieces)) values.push(value);
  return values;
}

describe('the text of a value', () => {
  test('is that of the RFC', () => {
    // 3.2.2 and 3.2.3
    const numbers = [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001];
    const value = { numbers, string: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/', literals: [null, true, false] };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const sorted = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(sorted)) as object)).toHaveLength(7);
    expect(canonicalJson(sorted)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(canonicalJson(-0)).toBe('0');
  });

  test('does not depend on the order of members, and comes back', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown;
        let text: string;
        try {
          text = canonicalJson(plain);
        } catch {
          return; // half a surrogate pair, or __proto__
        }
        expect(readCanonicalJson(Buffer.from(text))).toEqual(plain);
        expect(canonicalJson(reversed(plain))).toBe(text);
      }),
    );
  });

  test('there is none of what JSON can’t say', () => {
    let nested: unknown = [];
    for (let at = 0; at < JSON_LIMITS.depth; at++) nested = [nested];
    for (const value of [undefined, { a: undefined }, Number.NaN, Number.POSITIVE_INFINITY, 1n, '\ud800', nested]) {
      expect(() => canonicalJson(value)).toThrow(TypeError);
    }
    expect(() => canonicalJson(JSON.parse('{"__proto__":1}'))).toThrow('__proto__');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, reversed(member)] as const)
      .reverse(),
  );
}

describe('what is read', () => {
  test.each<[JsonFaultCode | null, string]>([
    [null, '{"a":1,"b":[true,null,"x"]}'],
    ['not_canonical', '{"b":1,"a":1}'],
    ['not_canonical', '{"a":1,"a":1}'],
    ['not_canonical', '{"a": 1}'],
    ['not_canonical', '{"a":1.0}'],
    ['not_canonical', '"\\u0041"'],
    ['not_canonical', '"\\ud800"'],
    ['not_canonical', '{"__proto__":1}'],
    ['not_canonical', '1e400'],
    ['not_json', '{"a":1'],
    ['not_json', ''],
    ['not_json', '\ufeff1'],
    ['too_deep', `${'['.repeat(33)}${']'.repeat(33)}`],
    [null, `${'['.repeat(32)}${']'.repeat(32)}`],
    ['too_deep', `${'['.repeat(400_000)}${']'.repeat(400_000)}`],
  ])('%s (%#)', (fault, text) => {
    expect(faultOf(text)).toBe(fault);
  });

  test('is UTF-8', () => {
    expect(faultOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('not_text');
  });

  test('is one value a line, however the bytes arrive', async () => {
    const values = [{ a: 1 }, 'two', [3]];
    const bytes = Buffer.concat([...canonicalLines(values)]);
    expect(await lines(bytes)).toEqual(values);
    expect(await lines(...Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(values);
    expect(await lines()).toEqual([]);
  });

  test('has an end at each line, and no line that is too long', async () => {
    const longest = Buffer.from(`"${'x'.repeat(JSON_LIMITS.line - 2)}"\n`);
    expect(await lines(longest)).toHaveLength(1);
    const longer = Buffer.from(`1\n"${'x'.repeat(JSON_LIMITS.line - 1)}"\n`);
    await expect(lines(longer)).rejects.toThrow('Line 2 has more than');
    await expect(lines(Buffer.from('1\n2'))).rejects.toThrow('Line 2 has more than');
    await expect(lines(Buffer.from('1\n\n'))).rejects.toThrow('Line 2 is not valid JSON.');
  });
});

test('bytes are taken in pieces of any size', async () => {
  const source = new ByteSource([Buffer.from('ab'), Buffer.alloc(0), Buffer.from('c\nde'), Buffer.from('\n\nf')]);
  expect((await source.some(1)).toString()).toBe('a');
  expect((await source.line(2))?.toString()).toBe('bc');
  expect((await source.line(1))?.toString()).toBe(undefined);
  expect((await source.line(0))?.toString()).toBe('');
  expect((await source.line(0))?.toString()).toBe('');
  expect(await source.ended()).toBe(false);
  expect((await source.take(9)).toString()).toBe('f');
  expect(await source.ended()).toBe(true);
  expect(await source.line(9)).toBeNull();
});
