// Opens the place of a target with its secret.
import { Problem } from '../../../../ground/problems.ts';
import type { Services } from '../../../../kernel/operation/services.ts';
import type { Target } from '../target.ts';
import { targetSecret } from '../target-store.ts';
import { openFolder } from './folder.ts';
import type { OpenPlace } from './place.ts';

export type PlaceShell = Pick<Services, 'store' | 'host' | 'settings' | 'keyring'>;

/** Close it. @throws Problem 409 */
export async function openPlace(shell: PlaceShell, target: Target, signal: AbortSignal): Promise<OpenPlace> {
  if (target.kind === 'folder') return openFolder(shell, target.place);
  const value = await targetSecret(shell.store, shell, target.id);
  if (value === null || target.secret === null)
    throw new Problem('remote_credential_gone', `The target ${target.name} has no password or key. Enter it.`);
  if (target.kind === 'sftp') {
    const { openSftp } = await import('./sftp.ts');
    return openSftp(shell, target.place, { kind: target.secret, value }, signal);
  }
  const { openS3 } = await import('./s3.ts');
  return openS3(shell, target.place, value, signal);
}
