// One-time passwords against the vectors of RFC 6238 (appendix B, SHA-1) and RFC 4226 (appendix D); base32 against RFC 4648 (10).
import { describe, expect, test } from '@jest/globals';
import {
  base32,
  matchingStep,
  otpauthUri,
  totpCode,
  totpStep,
} from '../../../../../shared/kernel/access/second-factor/totp.ts';

const SECRET = Buffer.from('12345678901234567890');

test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('RFC 6238: at %i s it is %s', (seconds, code) => {
  expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)), 8)).toBe(code);
});

const COUNTED = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
test.each([...COUNTED.entries()])('RFC 4226: of count %i', (count, code) => {
  expect(totpCode(SECRET, count)).toBe(code);
});

describe('a code is taken', () => {
  const now = new Date(59_000);
  test.each([
    ['of the step before', '755224', 0],
    ['of this step', '287082', 1],
    ['of the next step', '359152', 2],
    ['not of the one after', '969429', null],
    ['not with fewer digits', '28708', null],
    ['not with others', '000000', null],
  ])('%s', (_name, code, step) => {
    expect(matchingStep(SECRET, code, now)).toBe(step);
  });
});

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %p', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test('the address for an app names appliance and user', () => {
  expect(otpauthUri(SECRET, { issuer: 'gc01.lab.example', account: 'a b' })).toBe(
    'otpauth://totp/gc01.lab.example:a%20b?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=gc01.lab.example&algorithm=SHA1&digits=6&period=30',
  );
});
