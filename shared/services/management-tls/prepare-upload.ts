// What is done with an upload before anything is written: it is read, and compared with the names of the management UI.
import type { Services } from '../../kernel/operation/services.ts';
import type { UploadWanted } from './read-upload.ts';
import type { Upload } from './uploaded.ts';

/** @throws Problem 422 at the member that is wrong */
export async function prepareUpload(
  { store, settings, clock }: Pick<Services, 'store' | 'settings' | 'clock'>,
  wanted: UploadWanted,
): Promise<Upload> {
  const [{ readUpload }, { reachedBy }] = await Promise.all([import('./read-upload.ts'), import('./desired.ts')]);
  return readUpload(wanted, await reachedBy(store, settings.management_names ?? []), clock.now());
}
