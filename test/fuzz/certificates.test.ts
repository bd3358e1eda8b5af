// Signing requests and PKCS #12 files that were changed a little, cut, or made up: each is read or refused with its one kind
// of refusal, none takes long, and no heap grows with them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Pkcs12Fault, readPkcs12 } from '../../shared/ground/x509/pkcs12-read.ts';
import { parseRequest } from '../../shared/platform/certificate-authority/csr.ts';
import { readAuthorityFile } from '../../shared/platform/certificate-authority/import-root.ts';
import { acceptsOrRefuses } from '../setup/fuzz.ts';
import { foreignRoot, signingRequest } from '../setup/signing-request.ts';

/** Inputs of each parser; the long run is 10,000. */
const INPUTS = Number(process.env.GROUNDCREW_FUZZ_CERTIFICATES ?? 900);

type Change = { at: number; byte: number; kind: 'set' | 'cut' | 'add' | 'repeat' };

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(5000),
  // Tags and lengths more often than not: they are what a parser follows.
  byte: fc.oneof(fc.constantFrom(0x00, 0x02, 0x04, 0x30, 0x31, 0x7f, 0x80, 0x84, 0xa0, 0xff), fc.nat(255)),
  kind: fc.constantFrom('set', 'set', 'set', 'cut', 'add', 'repeat'),
});

/** Each of the files with up to eight changes, or bytes that are none. */
const changed = (files: readonly Buffer[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.tuple(fc.constantFrom(...files), fc.array(change, { maxLength: 8 })).map(apply) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
    // One value within another, as deep as the bytes go.
    { weight: 1, arbitrary: fc.nat(12_000).map((depth) => Buffer.alloc(depth * 2, Buffer.from([0x30, 0x80]))) },
  );

function apply([file, changes]: [Buffer, Change[]]): Buffer {
  let bytes = Buffer.from(file);
  for (const { at, byte, kind } of changes) {
    const place = at % Math.max(bytes.length, 1);
    if (kind === 'set') bytes[place] = byte;
    else if (kind === 'cut') bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + 1 + (byte % 9))]);
    else if (kind === 'add')
      bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place)]);
    else bytes = Buffer.concat([bytes, bytes.subarray(place)]).subarray(0, 20_000);
  }
  return bytes;
}

const PASSPHRASE = 'a-passphrase-that-is-planted';

/** What no refusal may repeat: the passphrase, and any part of the key. */
function silentOn(error: Error, key_pem: string): void {
  const said = `${error.message}\n${JSON.stringify(error)}\n${error.stack ?? ''}\n${String(error.cause ?? '')}`;
  const lines = key_pem.split('\n').filter((line) => /^[A-Za-z0-9+/=]{20,}$/.test(line));
  const parts = lines.flatMap((line) => [line.slice(0, 20), Buffer.from(line, 'base64').toString('hex').slice(0, 24)]);
  const told = [PASSPHRASE, ...parts].find((part) => said.includes(part));
  if (told !== undefined) throw new Error(`a refusal repeats ${told}`);
}

const keyOf = (pem: string): string => pem.slice(pem.indexOf('-----BEGIN PRIVATE'));

const der = (pem: string): Buffer => Buffer.from(pem.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64');

async function heapAfter(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().heapUsed;
  await work();
  globalThis.gc?.();
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
}

test(`${INPUTS} signing requests`, async () => {
  const requests = [
    signingRequest({ subject: '/CN=vc01.lab.example', names: 'DNS:vc01.lab.example,IP:10.10.0.9,email:a@b.example' }),
    signingRequest({ subject: '/O=Lab/CN=x', extensions: ['basicConstraints=CA:TRUE', 'certificatePolicies=1.2.3.4'] }),
    signingRequest({
      subject: '/CN=vc02.lab.example',
      names: 'DNS:vc02.lab.example',
      key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
    }),
  ].map(({ csr }) => der(csr));
  const grown = await heapAfter(() =>
    acceptsOrRefuses(changed(requests), (bytes) => parseRequest(bytes.toString('base64')), INPUTS),
  );
  expect(grown).toBeLessThan(150);
}, 900_000);

test(`${INPUTS} PKCS #12 files`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'groundcrew-fuzz-p12-'));
  const [source, made] = [join(folder, 'in.pem'), join(folder, 'out.p12')];
  const root = foreignRoot();
  writeFileSync(source, root);
  const files = [[], ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'], ['-nomac']].map(
    (more) => {
      const args = [
        'pkcs12',
        '-export',
        '-in',
        source,
        '-out',
        made,
        '-passout',
        `pass:${PASSPHRASE}`,
        '-iter',
        '10',
        ...more,
      ];
      execFileSync('openssl', args, { stdio: 'pipe' });
      return readFileSync(made);
    },
  );
  rmSync(folder, { recursive: true, force: true });
  // Rounds take as long as they are meant to: here a file may ask for few.
  const read = (bytes: Buffer) =>
    readPkcs12(bytes, PASSPHRASE, 1000).catch((error: Error) => {
      silentOn(error, keyOf(root));
      if (!(error instanceof Pkcs12Fault)) throw error;
    });
  const grown = await heapAfter(() => acceptsOrRefuses(changed(files), read, INPUTS));
  expect(grown).toBeLessThan(150);
}, 900_000);

test(`${INPUTS} authorities as PEM`, async () => {
  const root = foreignRoot();
  const now = new Date();
  const read = (bytes: Buffer) =>
    readAuthorityFile({ pem: bytes.toString('latin1') }, now).catch((error: Error) => {
      silentOn(error, keyOf(root));
      throw error;
    });
  const grown = await heapAfter(() => acceptsOrRefuses(changed([Buffer.from(root, 'latin1')]), read, INPUTS));
  expect(grown).toBeLessThan(150);
}, 900_000);
