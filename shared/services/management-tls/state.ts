// What is shown now, and what was uploaded, for answers and pages.
import type { Database } from '../../ground/store/database.ts';
import type { Settings } from '../../kernel/operation/services.ts';
import { readSettings } from '../../platform/units/settings-store.ts';
import { type Described, describedOf } from './desired.ts';
import { managementTlsSettings, type Source } from './settings.ts';
import { type UploadedRow, uploadedRow } from './uploaded.ts';

export type Uploaded = Described & Pick<UploadedRow, 'not_before' | 'key_algorithm' | 'created_by' | 'created_at'>;

export interface ManagementTlsState {
  shown: (Described & { applied: boolean }) | null;
  fault: string | null;
  source: Source;
  uploaded: Uploaded | null;
}

/** Two statements. */
export async function managementTlsState(
  db: Database,
  { management_shown }: Pick<Settings, 'management_shown'>,
): Promise<ManagementTlsState> {
  const described = describedOf(management_shown?.certificate);
  const { saved } = await readSettings(db, managementTlsSettings);
  return {
    shown: described && { ...described, applied: management_shown!.applied },
    fault: management_shown?.fault ?? null,
    source: saved.source,
    uploaded: uploadedView(await uploadedRow(db)),
  };
}

export function uploadedView(row: UploadedRow | undefined): Uploaded | null {
  const described = describedOf(row?.chain_pem);
  if (!row || !described) return null;
  const { not_before, key_algorithm, created_by, created_at } = row;
  return { ...described, not_before, key_algorithm, created_by, created_at };
}
