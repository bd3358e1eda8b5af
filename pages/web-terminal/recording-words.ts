// Addresses and words that the pages of the terminal share.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Recording } from '../../shared/services/web-terminal/recording/recordings.ts';

export const TERMINAL = { href: pagePath('web-terminal'), label: 'Web terminal' };
export const HOSTS = { href: pagePath('terminal-hosts'), label: 'Confirmed host keys' };
export const RECORDINGS = { href: pagePath('terminal-recordings'), label: 'Recordings' };

export const STATE_WORDS: Record<Recording['state'], string> = {
  running: 'Still recording',
  complete: 'Complete',
  'cut-off': 'Cut off: it has no end',
  unreadable: 'Can’t be opened',
};

/** Of one that can’t be opened nobody knows it. */
export const machineWords = ({ machine, state }: Recording): string =>
  machine || (state === 'unreadable' ? '—' : 'This appliance');
