// The manifest: `SHA256(name)= hex` a line, over the descriptor and every file. (DSP0243, "Integrity and authenticity".)
import { OvaFault } from './fault.ts';
import { OVA_LIMITS } from './limits.ts';
import { plainName } from './member-name.ts';

export type Algorithm = 'sha1' | 'sha256' | 'sha512';
export interface Digest {
  algorithm: Algorithm;
  hex: string;
}

const DIGITS: Readonly<Record<Algorithm, number>> = { sha1: 40, sha256: 64, sha512: 128 };
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Member name → digest in lower case. @throws OvaFault manifest_… */
export function readManifest(bytes: Buffer): Map<string, Digest> {
  const manifest = new Map<string, Digest>();
  for (const [index, line] of decoded(bytes).split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [name, digest] = readLine(line, index + 1);
    if (manifest.has(name)) throw new OvaFault('manifest_duplicate', name);
    manifest.set(name, digest);
  }
  return manifest;
}

/** A name may hold brackets: it ends at the last one. */
function readLine(line: string, number: number): [string, Digest] {
  const open = line.indexOf('(');
  const close = line.lastIndexOf(')');
  if (line.length > OVA_LIMITS.line || open < 1 || close <= open + 1) throw new OvaFault('manifest_line', number);
  const algorithm = /^\s*([A-Za-z0-9-]{2,12})\s*$/.exec(line.slice(0, open))?.[1];
  const hex = /^\s*=\s*([0-9a-fA-F]+)\s*$/.exec(line.slice(close + 1))?.[1];
  if (!algorithm || !hex) throw new OvaFault('manifest_line', number);
  const known = algorithm.toLowerCase().replace('-', '');
  if (!isAlgorithm(known)) throw new OvaFault('manifest_algorithm', algorithm);
  if (hex.length !== DIGITS[known]) throw new OvaFault('manifest_digest', number);
  return [plainName(line.slice(open + 1, close)), { algorithm: known, hex: hex.toLowerCase() }];
}

/** Digests that manifests and their signatures are made by. */
export const isAlgorithm = (name: string): name is Algorithm => name in DIGITS;

function decoded(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new OvaFault('manifest_encoding');
  }
}
