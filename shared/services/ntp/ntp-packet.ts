// The 48 bytes of NTP, as far as a probe needs them. RFC 5905, section 7.3.

export const PACKET_BYTES = 48;
const VERSION = 4;
const CLIENT = 3;
const SERVER = 4;
const ORIGIN = 24;
const TRANSMIT = 40;

/** The answer of a server. */
export interface NtpAnswer {
  /** 0 to 15; 0 while the server has no time. */
  stratum: number;
  /** False: the server reports that its clock follows nothing (leap indicator 3, or stratum 0). */
  synchronised: boolean;
  /** Four letters of a server that refuses, such as RATE or DENY; null otherwise. */
  kiss: string | null;
}

/**
 * A request. `nonce`, which the server repeats, has the 8 bytes of the client's clock, so that the request does not
 * show it.
 */
export function encodeQuestion(nonce: Uint8Array): Buffer {
  const packet = Buffer.alloc(PACKET_BYTES);
  packet[0] = (VERSION << 3) | CLIENT;
  packet.set(nonce.subarray(0, 8), TRANSMIT);
  return packet;
}

/** The answer to the question with this nonce; null for anything else. */
export function decodeAnswer(packet: Uint8Array, nonce: Uint8Array): NtpAnswer | null {
  if (packet.length < PACKET_BYTES) return null;
  const [first = 0, stratum = 0] = packet;
  const version = (first >> 3) & 7;
  if ((first & 7) !== SERVER || version < 3 || version > VERSION) return null;
  if (!Buffer.from(packet.subarray(ORIGIN, ORIGIN + 8)).equals(Buffer.from(nonce.subarray(0, 8)))) return null;
  const reference = Buffer.from(packet.subarray(12, 16)).toString('latin1');
  return {
    stratum: stratum > 15 ? 0 : stratum,
    synchronised: first >> 6 !== 3 && stratum > 0 && stratum < 16,
    kiss: stratum === 0 && /^[A-Z]{3,4}\0?$/.test(reference) ? reference.replace('\0', '') : null,
  };
}
