// Which host boots from its own disk now. One whose last attempt was used has been installed: the next network boot goes to
// its disk and never into a loop; only a key pressed on its console leads to the menu.
import type { AttemptState } from './attempt.ts';

export function bootsFromDisk(last: { state: AttemptState } | null): boolean {
  return last?.state === 'consumed';
}
