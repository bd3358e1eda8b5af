// A certificate as a file: what it is called, and its bytes.
import { X509Certificate } from 'node:crypto';
import type { Answer } from '../../kernel/operation/operation.ts';

export const FORMATS = ['pem', 'chain', 'der', 'pkcs7'] as const;
export type Format = (typeof FORMATS)[number];

interface Files {
  /** Without extension. */
  name: string;
  pem: string;
  /** What signed it, up to its root. */
  chain_pem: string;
}

/** PEM is text and everything else bytes. */
export async function certificateFile({ name, pem, chain_pem }: Files, format: Format): Promise<Answer> {
  const disposition = (extension: string) => ({ 'content-disposition': `attachment; filename="${name}.${extension}"` });
  const media = { 'content-type': 'application/octet-stream' };
  if (format === 'pem') return { text: pem, headers: { ...media, ...disposition('pem') } };
  if (format === 'chain') return { text: pem + chain_pem, headers: { ...media, ...disposition('chain.pem') } };
  if (format === 'der') {
    return { bytes: Buffer.from(new X509Certificate(pem).raw), headers: { ...media, ...disposition('cer') } };
  }
  const { pkcs7 } = await import('./pkcs7.ts');
  return { bytes: pkcs7([pem, ...split(chain_pem)]), headers: { ...media, ...disposition('p7b') } };
}

/** Certificates of a text, each alone. */
export const split = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];

/** What a file is called after: a name, or what else identifies it. */
export const fileName = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 64) || 'certificate';
