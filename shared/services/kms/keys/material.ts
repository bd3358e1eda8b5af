// The material of keys: opened for a Get, sealed when it is made, and nowhere else.
import { openEntry, type RowPlace, sealEntry, VaultFault } from '../../../ground/sealing/envelope.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import type { SealedMaterial } from './key-rows.ts';

export const materialPlace = (id: string): RowPlace => ({ table: 'kms_key', row: id, field: 'material' });

/** Only inside a write transaction, as all sealing. @throws Problem 409 `vault_keys_unusable` */
export async function sealMaterial(
  { keyring, entropy }: Pick<Services, 'keyring' | 'entropy'>,
  id: string,
  material: Buffer,
): Promise<SealedMaterial> {
  return { ...sealEntry(await keyring.current(), materialPlace(id), material.toString('hex'), entropy) };
}

/** Null when it can't be opened: its key is gone, or it is damaged. @throws Problem 409 `vault_keys_unusable` */
export async function openMaterial(
  { keyring }: Pick<Services, 'keyring'>,
  id: string,
  sealed: SealedMaterial,
): Promise<Buffer | null> {
  const key = await keyring.find(sealed.kek_id);
  if (key === null) return null;
  try {
    return Buffer.from(openEntry({ id: sealed.kek_id, key }, materialPlace(id), sealed), 'hex');
  } catch (error) {
    if (error instanceof VaultFault) return null;
    throw error;
  }
}
