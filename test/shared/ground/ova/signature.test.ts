// The signature of a manifest: whose it is, how far its certificates lead, and what is refused.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OvaFault } from '../../../../shared/ground/ova/fault.ts';
import { indexOva } from '../../../../shared/ground/ova/index-ova.ts';
import { type OvaSignature, validityOf } from '../../../../shared/ground/ova/signature.ts';
import { growth, NEARLY_LINEAR_16 } from '../../../setup/growth.ts';
import { signers } from '../../../setup/make-ova/sign.ts';
import { signed } from './hostile-signatures.ts';
import { file, ova, type Parts } from './parts.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundcrew-signature-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

type Manifest = string | Buffer;
const indexed = (parts: Parts) => {
  const path = join(folder, 'box.ova');
  writeFileSync(path, ova(parts));
  return indexOva(path);
};
describe('accepted', () => {
  const chained = (manifest: Manifest) =>
    `${signed('leaf', manifest)}${signers().leaf}${signers().middle}${signers().root}`;
  const cases: [string, (manifest: Manifest) => string, Partial<OvaSignature>][] = [
    [
      'a chain',
      chained,
      { subject: 'C=US, O=Vendor, CN=leaf', issuer: 'C=US, O=Vendor, CN=middle', chain: 'complete' },
    ],
    ['its own root', (manifest) => signed('alone', manifest) + signers().alone, { chain: 'self-signed' }],
    ['no root', (manifest) => signed('leaf', manifest) + signers().leaf + signers().middle, { chain: 'unknown' }],
    // Not one that issued it, though it issues.
    ['another root', (manifest) => signed('leaf', manifest) + signers().leaf + signers().root, { chain: 'unknown' }],
    ['the signer alone', (manifest) => signed('leaf', manifest) + signers().leaf, { chain: 'unknown' }],
    ['a curve', (manifest) => signed('curve', manifest) + signers().curve, { subject: 'C=US, O=Vendor, CN=curve' }],
    ['SHA-1', (manifest) => signed('alone', manifest, 'sha1') + signers().alone, { algorithm: 'sha1' }],
    ['SHA-512', (manifest) => signed('alone', manifest, 'sha512') + signers().alone, { algorithm: 'sha512' }],
    [
      'CRLF, capitals, a path and words of openssl',
      (manifest) =>
        `\r\n${signed('alone', manifest).replace('(box.mf)= ', ' (./box.mf) =').trim().toUpperCase().replace('BOX.MF', 'box.mf')}\r\nsubject=CN = alone\r\n${signers().alone.replaceAll('\n', '\r\n')}`,
      { chain: 'self-signed' },
    ],
  ];
  test.each(cases)('%s', async (_what, certificate, told) => {
    const { signature } = await indexed({ certificate });
    expect(signature).toMatchObject(told);
    expect(signature!.sha256).toMatch(/^[0-9A-F]{2}(?::[0-9A-F]{2}){31}$/);
    expect(Date.parse(signature!.not_after) - Date.parse(signature!.not_before)).toBe(30 * 86_400_000);
  });

  test('none at all', async () => {
    expect((await indexed({})).signature).toBeNull();
  });

  test('one that expired, which is said', async () => {
    const { signature } = await indexed({ certificate: chained });
    const at = (days: number) =>
      validityOf(signature!, new Date(Date.parse(signature!.not_before) + days * 86_400_000));
    expect([at(-1), at(0), at(29), at(31)]).toEqual(['not-yet-valid', 'valid', 'valid', 'expired']);
  });
});

describe('refused, besides what hostile-signatures.ts has', () => {
  test('a second one, as any file that nothing lists', async () => {
    const certificate = (manifest: Manifest) => signed('alone', manifest) + signers().alone;
    await expect(indexed({ certificate, last: [file('other.cert')] })).rejects.toMatchObject({
      fault: 'member_unreferenced',
    });
  });

  test.each([
    ['beginnings', (count: number) => '-----BEGIN CERTIFICATE-----'.repeat(count / 27)],
    ['one that has no end', (count: number) => `-----BEGIN CERTIFICATE-----${'A'.repeat(count)}`],
    ['brackets', (count: number) => `SHA256${'(a)= '.repeat(count / 5)}`],
    ['digits', (count: number) => `SHA256(box.mf)= ${'0'.repeat(count)}x`],
  ])('%s, at a cost that grows with the length alone', async (_what, text) => {
    const read = (count: number) => indexed({ certificate: () => text(count) }).catch((error: OvaFault) => error.fault);
    expect(await growth(read, 3500, 16)).toBeLessThan(NEARLY_LINEAR_16);
  });
});
