// Requests of OCSP that were changed a little, cut, or made up: anybody may send them, so each is read or refused with its
// one kind of refusal, and none takes long.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { explicit, integer, objectId, octets, sequence } from '../../shared/ground/x509/der.ts';
import { DerFault } from '../../shared/ground/x509/der-read.ts';
import {
  NONCE,
  OCSP_REQUEST_MOST,
  ocspRequestOfPath,
  parseOcspRequest,
} from '../../shared/platform/certificate-authority/ocsp-request.ts';

/** Inputs; a long run has more. */
const INPUTS = Number(process.env.GROUNDCREW_FUZZ_OCSP ?? 10_000);
/** No input takes longer, milliseconds: a collection of garbage may come in between. */
const SLOWEST = 250;

const SHA1 = sequence(objectId('1.3.14.3.2.26'), Buffer.from([5, 0]));
const id = (serial: number) =>
  sequence(SHA1, octets(Buffer.alloc(20, 1)), octets(Buffer.alloc(20, 2)), integer(serial));
const extension = sequence(sequence(objectId(NONCE), octets(octets(Buffer.alloc(32, 7)))));
const REQUESTS = [
  sequence(sequence(sequence(sequence(id(77))))),
  sequence(sequence(sequence(sequence(id(300)), sequence(id(301), explicit(0, extension))), explicit(2, extension))),
];

type Change = { at: number; byte: number; kind: 'set' | 'cut' | 'add' | 'repeat' };
const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(400),
  // Tags and lengths more often than not: they are what a parser follows.
  byte: fc.oneof(fc.constantFrom(0x00, 0x02, 0x04, 0x30, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff), fc.nat(255)),
  kind: fc.constantFrom('set', 'set', 'set', 'cut', 'add', 'repeat'),
});

function apply([file, changes]: [Buffer, Change[]]): Buffer {
  let bytes = Buffer.from(file);
  for (const { at, byte, kind } of changes) {
    const place = at % Math.max(bytes.length, 1);
    const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
    if (kind === 'set') bytes[place] = byte;
    else if (kind === 'cut') bytes = Buffer.concat([before, after.subarray(1 + (byte % 9))]);
    else if (kind === 'add') bytes = Buffer.concat([before, Buffer.from([byte]), after]);
    else bytes = Buffer.concat([bytes, after]).subarray(0, OCSP_REQUEST_MOST + 10);
  }
  return bytes;
}

const inputs: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...REQUESTS), fc.array(change, { maxLength: 8 })).map(apply) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
  // One value within another, as deep as the bytes go.
  { weight: 1, arbitrary: fc.nat(3000).map((depth) => Buffer.alloc(depth * 2, Buffer.from([0x30, 0x80]))) },
);

test(`${INPUTS} requests`, () => {
  let [read, slowest] = [0, 0];
  const property = fc.property(inputs, (bytes) => {
    const began = performance.now();
    try {
      const { ids } = parseOcspRequest(bytes);
      expect(ids.length).toBeGreaterThan(0);
      for (const { serial_number, der } of ids) {
        expect(serial_number).toMatch(/^(?:[0-9A-F]{2}){1,21}$/);
        expect(bytes.includes(der)).toBe(true);
      }
      read += 1;
    } catch (error) {
      if (!(error instanceof DerFault)) throw error;
    }
    slowest = Math.max(slowest, performance.now() - began);
  });
  fc.assert(property, { numRuns: INPUTS });
  expect(read).toBeGreaterThan(INPUTS / 100);
  expect(slowest).toBeLessThan(SLOWEST);
}, 120_000);

test('what is left as it is gets read', () => {
  for (const request of REQUESTS) expect(parseOcspRequest(request).ids.map(({ hash }) => hash)).toContain('sha1');
  expect(parseOcspRequest(REQUESTS[1]!).nonce).toEqual(octets(Buffer.alloc(32, 7)));
});

test('paths', () => {
  const property = fc.property(fc.oneof(fc.string({ maxLength: 400 }), fc.base64String()), (text) => {
    const bytes = ocspRequestOfPath(text);
    expect(bytes === null || bytes.length <= text.length).toBe(true);
  });
  fc.assert(property, { numRuns: 2000 });
});
