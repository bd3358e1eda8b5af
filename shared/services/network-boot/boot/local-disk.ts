// Whether a host boots from its own disk. A host whose last attempt was used has been installed: its next network boot
// starts the disk, so that it is not installed in a loop. A key on its console opens the menu.
import type { AttemptState } from './attempt.ts';

export function bootsFromDisk(last: { state: AttemptState } | null): boolean {
  return last?.state === 'consumed';
}
