// The token of a SCIM target: sealed with the key of the vaults, and opened by the job that pushes alone.
import { Problem } from '../../../ground/problems.ts';
import { openEntry, type RowPlace, type Sealed } from '../../../ground/sealing/envelope.ts';
import type { Database } from '../../../ground/store/database.ts';
import type { Services } from '../../../kernel/operation/services.ts';

export const tokenPlace = (id: string): RowPlace => ({ table: 'scim_target', row: id, field: 'token' });

/** In the clear. @throws Problem 409 `vault_value_unreadable`, `vault_keys_unusable` */
export async function openToken(db: Database, { keyring }: Pick<Services, 'keyring'>, id: string): Promise<string> {
  const row = await db.one<Sealed>('SELECT kek_id, sealed_key, sealed_value FROM scim_target WHERE id = ?', [id]);
  const key = row && (await keyring.find(row.kek_id));
  try {
    return openEntry({ id: row!.kek_id, key: key! }, tokenPlace(id), row!);
  } catch {
    throw new Problem('vault_value_unreadable', 'The token of the SCIM target can’t be opened. Enter it again.');
  }
}
