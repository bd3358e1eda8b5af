// Reading PKCS #12 (RFC 7292) that somebody else made. Its size, depth, count and the rounds that it asks for are bounded;
// nothing of it is looked at before its MAC says that passphrase and file belong together.
import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { fromBER } from 'asn1js';
import { type Derivation, FOR_IV, FOR_KEY, FOR_MAC, OID, pbkdf2Key, pkcs12Key } from './pkcs12-keys.ts';

/** Bytes of a file: a key of 4096 bits with a chain of ten certificates has some 20,000. */
export const PKCS12_BYTES_MOST = 49_152;
/** Rounds that it may ask for, in all. */
const ROUNDS_MOST = 1_000_000;
const CERTIFICATES_MOST = 20;
const LIMITS = { maxDepth: 40, maxNodes: 4000, maxContentLength: PKCS12_BYTES_MOST };

/** Why it can't be read, for people. */
export class Pkcs12Fault extends Error {}

export interface Unpacked {
  /** PKCS #8, DER. */
  key: Buffer;
  /** DER. */
  certificates: Buffer[];
}

/** @throws Pkcs12Fault whatever is wrong with it */
export async function readPkcs12(file: Buffer, passphrase: string, rounds = ROUNDS_MOST): Promise<Unpacked> {
  if (file.length > PKCS12_BYTES_MOST) throw new Pkcs12Fault(`It has more than ${PKCS12_BYTES_MOST} bytes.`);
  try {
    return await new Reading(passphrase, rounds).pfx(file);
  } catch (error) {
    if (error instanceof Pkcs12Fault) throw error;
    throw new Pkcs12Fault('It can’t be read as PKCS #12: it is damaged, or another kind of file.');
  }
}

/** A value of ASN.1 as the parser gives it; what of it is there depends on its kind. */
interface Node {
  idBlock: { tagClass: number; tagNumber: number };
  valueBlock: { value?: Node[]; valueHexView?: Uint8Array; toString(): string; valueDec?: number };
  getValue?(): ArrayBuffer;
}

const broken = (): Error => new Error('not as expected');

function parsed(bytes: Buffer): Node {
  const { result, offset } = fromBER(new Uint8Array(bytes), LIMITS);
  if (offset <= 0) throw broken();
  return result as unknown as Node;
}

/** The parts of a sequence, a set or a tagged value. */
function parts(node: Node | undefined): Node[] {
  const { value } = node?.valueBlock ?? {};
  if (!Array.isArray(value)) throw broken();
  return value;
}

/** Of an octet string, whole or in pieces. */
function bytesOf(node: Node | undefined): Buffer {
  if (!node) throw broken();
  if (node.idBlock.tagClass === 1 && node.idBlock.tagNumber === 4 && node.getValue) return Buffer.from(node.getValue());
  const { valueHexView, value } = node.valueBlock;
  if (valueHexView && valueHexView.length > 0) return Buffer.from(valueHexView);
  if (Array.isArray(value)) return Buffer.concat(value.map(bytesOf));
  throw broken();
}

const oidOf = (node: Node | undefined): string => {
  if (node?.idBlock.tagNumber !== 6) throw broken();
  return node.valueBlock.toString();
};

function numberOf(node: Node | undefined): number {
  const value = node?.idBlock.tagNumber === 2 ? node.valueBlock.valueDec : undefined;
  if (value === undefined || !Number.isSafeInteger(value) || value < 0) throw broken();
  return value;
}

const DIGESTS: Record<string, Derivation['digest']> = {
  '1.3.14.3.2.26': 'sha1',
  [OID.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
const PRFS: Record<string, Derivation['digest']> = {
  '1.2.840.113549.2.7': 'sha1',
  [OID.hmacSha256]: 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};
const CIPHERS: Record<string, { name: string; key: number }> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', key: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', key: 24 },
  [OID.aes256]: { name: 'aes-256-cbc', key: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', key: 24 },
};

class Reading {
  readonly #passphrase: string;
  readonly #most: number;
  #rounds = 0;
  #key: Buffer | null = null;
  readonly #certificates: Buffer[] = [];

  constructor(passphrase: string, most: number) {
    this.#passphrase = passphrase;
    this.#most = most;
  }

  async pfx(file: Buffer): Promise<Unpacked> {
    const [version, content, mac] = parts(parsed(file));
    if (numberOf(version) !== 3) throw broken();
    const [type, wrapped] = parts(content);
    if (oidOf(type) !== OID.data) throw new Pkcs12Fault('It is signed with a key instead of a passphrase.');
    if (!mac) throw new Pkcs12Fault('It has no MAC: nothing tells whether it was changed.');
    const safe = bytesOf(parts(wrapped)[0]);
    await this.#checkMac(safe, mac);
    for (const part of parts(parsed(safe))) await this.#content(part);
    if (this.#key === null) throw new Pkcs12Fault('It has no private key.');
    if (this.#certificates.length === 0) throw new Pkcs12Fault('It has no certificate.');
    return { key: this.#key, certificates: this.#certificates };
  }

  async #checkMac(safe: Buffer, mac: Node): Promise<void> {
    const [info, salt, rounds] = parts(mac);
    const [algorithm, expected] = parts(info);
    const digest = DIGESTS[oidOf(parts(algorithm)[0])];
    if (!digest) throw new Pkcs12Fault('Its MAC is of a kind that is not known here.');
    const wanted = bytesOf(expected);
    const iterations = this.#counted(rounds ? numberOf(rounds) : 1);
    const length = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 }[digest];
    const key = await pkcs12Key({ ...this.#from(bytesOf(salt), iterations), digest, length }, FOR_MAC);
    const found = createHmac(digest, key).update(safe).digest();
    if (found.length !== wanted.length || !timingSafeEqual(found, wanted)) {
      throw new Pkcs12Fault('The passphrase is wrong, or the file was changed.');
    }
  }

  #from(salt: Buffer, iterations: number): Pick<Derivation, 'passphrase' | 'salt' | 'iterations'> {
    return { passphrase: this.#passphrase, salt, iterations };
  }

  #counted(iterations: number): number {
    this.#rounds += iterations;
    if (iterations < 1 || this.#rounds > this.#most) {
      throw new Pkcs12Fault(`It asks for no round of key derivation, or for more than ${this.#most}.`);
    }
    return iterations;
  }

  async #content(part: Node): Promise<void> {
    const [type, wrapped] = parts(part);
    const inner = parts(wrapped)[0];
    if (oidOf(type) === OID.data) return this.#bags(bytesOf(inner));
    if (oidOf(type) !== OID.encryptedData) throw new Pkcs12Fault('Parts of it are encrypted for a key.');
    const [, algorithm, content] = parts(parts(inner)[1]);
    return this.#bags(await this.#decrypted(algorithm!, bytesOf(content)));
  }

  async #bags(bytes: Buffer): Promise<void> {
    for (const bag of parts(parsed(bytes))) {
      const [type, wrapped] = parts(bag);
      const value = parts(wrapped)[0];
      const kind = oidOf(type);
      if (kind === OID.certBag) this.#certificate(bytesOf(parts(parts(value)[1])[0]));
      else if (kind === OID.shroudedKeyBag) {
        const [algorithm, content] = parts(value);
        this.#privateKey(await this.#decrypted(algorithm!, bytesOf(content)));
      } else if (kind === OID.keyBag) throw new Pkcs12Fault('Its private key is not encrypted.');
    }
  }

  #certificate(der: Buffer): void {
    if (this.#certificates.length === CERTIFICATES_MOST) {
      throw new Pkcs12Fault(`It has more than ${CERTIFICATES_MOST} certificates.`);
    }
    this.#certificates.push(der);
  }

  #privateKey(der: Buffer): void {
    if (this.#key !== null) throw new Pkcs12Fault('It has more than one private key.');
    this.#key = der;
  }

  async #decrypted(algorithm: Node, content: Buffer): Promise<Buffer> {
    const [type, parameters] = parts(algorithm);
    const { name, key, iv } = await this.#cipher(oidOf(type), parameters);
    const cipher = createDecipheriv(name, key, iv);
    return Buffer.concat([cipher.update(content), cipher.final()]);
  }

  async #cipher(type: string, parameters: Node | undefined): Promise<{ name: string; key: Buffer; iv: Buffer }> {
    if (type === OID.tripleDes) {
      const [salt, rounds] = parts(parameters);
      const iterations = this.#counted(2 * numberOf(rounds)) / 2;
      const from = { ...this.#from(bytesOf(salt), iterations), digest: 'sha1' as const };
      const key = await pkcs12Key({ ...from, length: 24 }, FOR_KEY);
      return { name: 'des-ede3-cbc', key, iv: await pkcs12Key({ ...from, length: 8 }, FOR_IV) };
    }
    if (type !== OID.pbes2) {
      throw new Pkcs12Fault('It is encrypted with RC2 or RC4, which are broken: export it again with AES or 3DES.');
    }
    const [kdf, scheme] = parts(parameters);
    const [kind, kdfParameters] = parts(kdf);
    const [cipherType, iv] = parts(scheme);
    const cipher = CIPHERS[oidOf(cipherType)];
    if (oidOf(kind) !== OID.pbkdf2 || !cipher)
      throw new Pkcs12Fault('It is encrypted in a way that is not known here.');
    const [salt, rounds, ...rest] = parts(kdfParameters);
    const prf = rest.find(({ idBlock }) => idBlock.tagNumber === 16);
    const digest = prf ? PRFS[oidOf(parts(prf)[0])] : 'sha1';
    if (!digest) throw new Pkcs12Fault('It is encrypted in a way that is not known here.');
    const iterations = this.#counted(numberOf(rounds));
    const key = await pbkdf2Key({ ...this.#from(bytesOf(salt), iterations), digest, length: cipher.key });
    return { name: cipher.name, key, iv: bytesOf(iv) };
  }
}
