// Files in force that are not as they were written.
import type { Host } from '../../ground/machine/host.ts';
import { type Baseline, sha256 } from '../../platform/applied/baseline.ts';

/** One clause for each: `/etc/chrony/chrony.conf was changed`. @throws Error when one can't be read. */
export async function changedFiles(host: Host, files: Baseline['files']): Promise<string[]> {
  const lines: string[] = [];
  for (const { path, sha256: wanted } of files) {
    const content = await host.read(path);
    if (content === null) lines.push(`${path} is not there`);
    else if (sha256(content) !== wanted) lines.push(`${path} was changed`);
  }
  return lines;
}

/** Whether a difference is of those: what runs is never told by a path. */
export const isOfFile = (line: string): boolean => line.startsWith('/');
