// Bech32 (BIP 173): a prefix, `1`, groups of five bits and a checksum. Recipients and identities of age are spelled so.

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const CHECKSUM = 6;

export function toBech32(prefix: string, bytes: Buffer): string {
  const groups = regroup([...bytes], 8, 5, true) ?? [];
  const sum = polymod([...expanded(prefix), ...groups, 0, 0, 0, 0, 0, 0]) ^ 1;
  const check = Array.from({ length: CHECKSUM }, (_, at) => (sum >>> (5 * (CHECKSUM - 1 - at))) & 31);
  return `${prefix}1${[...groups, ...check].map((group) => ALPHABET[group]).join('')}`;
}

/** The bytes, or null for another prefix, a mixed case, or a mistake in typing. */
export function fromBech32(prefix: string, text: string): Buffer | null {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return null;
  const lower = text.toLowerCase();
  if (!lower.startsWith(`${prefix}1`)) return null;
  const groups = [...lower.slice(prefix.length + 1)].map((letter) => ALPHABET.indexOf(letter));
  if (groups.length < CHECKSUM || groups.includes(-1)) return null;
  if (polymod([...expanded(prefix), ...groups]) !== 1) return null;
  const bytes = regroup(groups.slice(0, -CHECKSUM), 5, 8, false);
  return bytes && Buffer.from(bytes);
}

/** Null when bits that stand for nothing are set, or are a whole group. */
function regroup(groups: readonly number[], from: number, to: number, pad: boolean): number[] | null {
  const out: number[] = [];
  let bits = 0;
  let held = 0;
  for (const group of groups) {
    held = ((held << from) | group) & 0xfff;
    bits += from;
    while (bits >= to) {
      bits -= to;
      out.push((held >>> bits) & ((1 << to) - 1));
    }
  }
  const rest = (held << (to - bits)) & ((1 << to) - 1);
  if (pad) return bits > 0 ? [...out, rest] : out;
  return bits >= from || rest !== 0 ? null : out;
}

function polymod(groups: readonly number[]): number {
  let sum = 1;
  for (const group of groups) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ group;
    for (const [at, value] of GENERATOR.entries()) if ((top >>> at) & 1) sum ^= value;
  }
  return sum;
}

function expanded(prefix: string): number[] {
  const codes = [...prefix].map((letter) => letter.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}
