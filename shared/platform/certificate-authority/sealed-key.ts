// Private keys at rest: sealed as the values of vaults are, bound to the row that they belong to.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { openEntry, type RowPlace, type Sealed, sealEntry, VaultFault } from '../../ground/sealing/envelope.ts';
import type { Services } from '../../kernel/operation/services.ts';

export type SealedTable = 'certificate_authority' | 'issued_certificate' | 'ocsp_signer';
export type SealingShell = Pick<Services, 'keyring' | 'entropy'>;

/** Columns of a certificate that was replaced: its key is of no use any more, and gone. */
export const NO_KEY: Sealed = { kek_id: '', sealed_key: '', sealed_value: '' };

export const placeOf = (table: SealedTable, row: string): RowPlace => ({ table, row, field: 'private_key' });

/** Only inside a write transaction, as all sealing. @throws Problem 409 `vault_keys_unusable` */
export async function sealKey(
  { keyring, entropy }: SealingShell,
  table: SealedTable,
  id: string,
  key_pem: string,
): Promise<Sealed> {
  return sealEntry(await keyring.current(), placeOf(table, id), key_pem, entropy);
}

/**
 * The private key of a certificate, PKCS #8 as PEM; null when it can't be opened, or is that of another certificate.
 * @throws Problem 409 `vault_keys_unusable`: the keys file itself can't be used
 */
export async function openKey(
  { keyring }: Pick<SealingShell, 'keyring'>,
  table: SealedTable,
  row: Sealed & { id: string; certificate_pem: string },
): Promise<string | null> {
  const key = await keyring.find(row.kek_id);
  if (key === null) return null;
  try {
    const pem = openEntry({ id: row.kek_id, key }, placeOf(table, row.id), row);
    return new X509Certificate(row.certificate_pem).checkPrivateKey(createPrivateKey(pem)) ? pem : null;
  } catch (error) {
    if (error instanceof VaultFault) return null;
    throw error;
  }
}
