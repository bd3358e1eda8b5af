// The certificate that was uploaded for the management UI: one row at most, its private key sealed.
import { X509Certificate } from 'node:crypto';
import { newId } from '../../ground/clock.ts';
import type { Host } from '../../ground/machine/host.ts';
import { type RowPlace, type Sealed, sealEntry } from '../../ground/sealing/envelope.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { CERTIFICATE_FILE } from './files.ts';

export interface UploadedRow extends Sealed {
  id: string;
  /** The certificate, and what signed it; without a root. */
  chain_pem: string;
  subject: string;
  /** JSON. */
  names: string;
  /** `AA:BB:…` */
  sha256: string;
  key_algorithm: string;
  not_before: string;
  not_after: string;
  created_by: string;
  created_at: string;
}

/** What was read of a file, checked. */
export interface Upload extends Pick<UploadedRow, 'chain_pem' | 'subject' | 'sha256' | 'key_algorithm'> {
  names: string[];
  not_before: string;
  not_after: string;
  /** PKCS #8 as PEM. */
  key_pem: string;
}

export const placeOfKey = (id: string): RowPlace => ({
  table: 'management_certificate',
  row: id,
  field: 'private_key',
});

export const uploadedRow = (db: Database): Promise<UploadedRow | undefined> =>
  db.one<UploadedRow>('SELECT * FROM management_certificate ORDER BY rowid DESC LIMIT 1');

/** It takes the place of the one before. Answers its id. @throws Problem 409 `vault_keys_unusable` */
export async function keepUpload(
  tx: Transaction,
  { keyring, entropy }: Pick<Services, 'keyring' | 'entropy'>,
  { names, key_pem, ...facts }: Upload,
  by: { name: string; at: string },
): Promise<string> {
  const id = newId('mcert', entropy);
  const { kek_id, sealed_key, sealed_value } = sealEntry(await keyring.current(), placeOfKey(id), key_pem, entropy);
  await forgetUpload(tx);
  const { chain_pem, subject, sha256, key_algorithm, not_before, not_after } = facts;
  await tx.run(
    `INSERT INTO management_certificate (id, chain_pem, subject, names, sha256, key_algorithm, kek_id, sealed_key,
        sealed_value, not_before, not_after, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, chain_pem, subject, JSON.stringify(names), sha256, key_algorithm, kek_id, sealed_key, sealed_value],
      ...[not_before, not_after, by.name, by.at],
    ],
  );
  return id;
}

/** Answers how many there were. */
export const forgetUpload = (tx: Transaction): Promise<number> => tx.run('DELETE FROM management_certificate');

/** SHA-256 of the certificate that was applied; null: none was, or it is damaged. A small file. */
export async function digestInForce(host: Pick<Host, 'read'>): Promise<string | null> {
  const pem = await host.read(CERTIFICATE_FILE);
  try {
    return pem === null ? null : new X509Certificate(pem).fingerprint256;
  } catch {
    return null;
  }
}
