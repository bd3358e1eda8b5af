// The way through a passphrase: scrypt (RFC 7914) makes each guess cost a quarter of a gigabyte of memory and a second.
import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Entropy } from '../clock.ts';
import { AgeFault, LOG_N_MOST } from './fault.ts';
import { LOG_N } from './passphrase-work.ts';
import { base64, fromBase64, ONCE, openBox, sealBox } from './primitives.ts';
import { FILE_KEY_BYTES, type Stanza } from './stanza.ts';

export const SCRYPT = 'scrypt';
const SALT_BYTES = 16;
const LABEL = Buffer.from('age-encryption.org/v1/scrypt');

const stretched = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

export async function wrapForPassphrase(
  fileKey: Buffer,
  passphrase: string,
  entropy: Entropy,
  log_n = LOG_N,
): Promise<Stanza> {
  const salt = entropy.bytes(SALT_BYTES);
  const body = sealBox(await stretch(passphrase, salt, log_n), ONCE, fileKey);
  return { kind: SCRYPT, args: [base64(salt), String(log_n)], body };
}

/** @throws AgeFault wrong_passphrase, work_too_high, damaged */
export async function unwrapWithPassphrase({ args, body }: Stanza, passphrase: string): Promise<Buffer> {
  const salt = args.length === 2 ? fromBase64(args[0] ?? '') : null;
  const work = args[1] ?? '';
  if (salt?.length !== SALT_BYTES || !/^[1-9]\d*$/.test(work)) throw new AgeFault('damaged');
  if (work.length > 2 || Number(work) > LOG_N_MOST) throw new AgeFault('work_too_high');
  if (body.length !== FILE_KEY_BYTES + 16) throw new AgeFault('damaged');
  const fileKey = openBox(await stretch(passphrase, salt, Number(work)), ONCE, body);
  if (!fileKey) throw new AgeFault('wrong_passphrase');
  return fileKey;
}

let turn: Promise<unknown> = Promise.resolve();

/** One at a time, in the thread pool: two at once would take twice the memory and keep other work from the pool. */
function stretch(passphrase: string, salt: Buffer, log_n: number): Promise<Buffer> {
  const N = 2 ** log_n;
  const options = { N, r: 8, p: 1, maxmem: 128 * 8 * (N + 2) + 1024 * 1024 };
  const mine = turn.then(() => stretched(Buffer.from(passphrase), Buffer.concat([LABEL, salt]), 32, options));
  turn = mine.catch(() => undefined); // the next one does not wait for what became of this one
  return mine;
}
