// Keys from a passphrase as PKCS #12 makes them (RFC 7292, appendix B; RFC 8018), with the object identifiers of both.
import { hash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

export const OID = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  keyBag: '1.2.840.113549.1.12.10.1.1',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  certBag: '1.2.840.113549.1.12.10.1.3',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  friendlyName: '1.2.840.113549.1.9.20',
  localKeyId: '1.2.840.113549.1.9.21',
  pbes2: '1.2.840.113549.1.5.13',
  pbkdf2: '1.2.840.113549.1.5.12',
  hmacSha256: '1.2.840.113549.2.9',
  sha256: '2.16.840.1.101.3.4.2.1',
  aes256: '2.16.840.1.101.3.4.1.42',
  tripleDes: '1.2.840.113549.1.12.1.3',
} as const;

/** What a key is for: the letters of RFC 7292, B.3. */
export const FOR_KEY = 1;
export const FOR_IV = 2;
export const FOR_MAC = 3;

export interface Derivation {
  digest: 'sha1' | 'sha256' | 'sha384' | 'sha512';
  passphrase: string;
  salt: Buffer;
  iterations: number;
  length: number;
}

/** Rounds between two looks at everything else. */
const ROUNDS_AT_ONCE = 5000;

/** RFC 7292, B.2. It lets others in between, since it takes long by intent. */
export async function pkcs12Key(wanted: Derivation, id: number): Promise<Buffer> {
  const { digest, passphrase, salt, iterations, length } = wanted;
  const block = digest === 'sha1' || digest === 'sha256' ? 64 : 128;
  const spelled = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  const filled = (text: Buffer) =>
    text.length === 0 ? text : Buffer.alloc(block * Math.ceil(text.length / block), text);
  const input = Buffer.concat([filled(salt), filled(spelled)]);
  const made: Buffer[] = [];
  for (let have = 0; have < length; ) {
    let turn = hash(digest, Buffer.concat([Buffer.alloc(block, id), input]), 'buffer');
    for (let round = 1; round < iterations; round++) {
      turn = hash(digest, turn, 'buffer');
      if (round % ROUNDS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    made.push(turn);
    have += turn.length;
    addOne(input, Buffer.alloc(block, turn), block);
  }
  return Buffer.concat(made).subarray(0, length);
}

/** Each block of the input plus the digest plus one, as one large number that overflows. */
function addOne(input: Buffer, digest: Buffer, block: number): void {
  for (let at = 0; at < input.length; at += block) {
    let carry = 1;
    for (let place = block - 1; place >= 0; place--) {
      const sum = input[at + place]! + digest[place]! + carry;
      input[at + place] = sum & 0xff;
      carry = sum >> 8;
    }
  }
}

const derive = promisify(pbkdf2);

/** RFC 8018, 5.2. */
export const pbkdf2Key = ({ digest, passphrase, salt, iterations, length }: Derivation): Promise<Buffer> =>
  derive(Buffer.from(passphrase, 'utf8'), salt, iterations, length, digest);
