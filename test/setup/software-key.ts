// A passkey in software (WebAuthn, 6.1): what an authenticator would answer, for tests without a browser.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const text = (bytes: Buffer): string => bytes.toString('base64url');

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

interface Asked {
  challenge: string;
  rp_id: string;
  origin: string;
}

export class SoftwareKey {
  readonly id = randomBytes(32);
  readonly #private: KeyObject;
  readonly #cose: Buffer;
  /** How often it signed. */
  count = 0;
  /** Whether it checks who its holder is. */
  verifies = true;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#private = privateKey;
    // CBOR: kty EC2, alg ES256, crv P-256, x, y (RFC 9053, 7.1).
    this.#cose = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  #data(rp_id: string, flags: number, more = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.count);
    const set = flags | USER_PRESENT | (this.verifies ? USER_VERIFIED : 0);
    return Buffer.concat([sha256(rp_id), Buffer.from([set]), counter, more]);
  }

  #common() {
    const id = text(this.id);
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  /** RegistrationResponseJSON, without attestation. */
  create({ challenge, rp_id, origin }: Asked) {
    this.count++;
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.#cose]);
    const data = this.#data(rp_id, ATTESTED, attested);
    const object = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
      Buffer.from([data.length]),
      data,
    ]);
    const clientDataJSON = text(Buffer.from(JSON.stringify({ type: 'webauthn.create', challenge, origin })));
    return { ...this.#common(), response: { clientDataJSON, attestationObject: text(object), transports: ['usb'] } };
  }

  /** AuthenticationResponseJSON. */
  use({ challenge, rp_id, origin }: Asked) {
    this.count++;
    const data = this.#data(rp_id, 0);
    const client = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#private);
    const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) };
    return { ...this.#common(), response };
  }
}
