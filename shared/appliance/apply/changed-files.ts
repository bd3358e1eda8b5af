// Files in force that are not as they were written.
import type { Host } from '../../ground/machine/host.ts';
import { type Baseline, sha256 } from '../../platform/applied/baseline.ts';

export interface ChangedFile {
  path: string;
  state: 'missing' | 'changed';
}

/** @throws Error when one can't be read. */
export async function changedFiles(host: Host, files: Baseline['files']): Promise<ChangedFile[]> {
  const found: ChangedFile[] = [];
  for (const { path, sha256: wanted } of files) {
    const content = await host.read(path);
    if (content === null) found.push({ path, state: 'missing' });
    else if (sha256(content) !== wanted) found.push({ path, state: 'changed' });
  }
  return found;
}

const STATES: Readonly<Record<ChangedFile['state'], string>> = { missing: 'is not there', changed: 'was changed' };

/** `/etc/chrony/chrony.conf was changed` */
export const fileWords = ({ path, state }: ChangedFile): string => `${path} ${STATES[state]}`;
