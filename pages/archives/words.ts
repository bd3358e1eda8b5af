// Addresses and words that the pages of archives share.

import type { KeptArchive } from '../../shared/appliance/archive/kept.ts';
import { CARRIED } from '../../shared/appliance/archive/tables.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';

export const ARCHIVES = { href: pagePath('archives'), label: 'Archives' };

const ENCRYPTION_WORDS: Record<KeptArchive['encryption'], string> = {
  passphrase: 'With a passphrase',
  recipients: 'For recipients',
  none: 'Not encrypted, without secrets',
  unknown: 'Not known yet',
};

/** Nobody knows what a file holds that came from elsewhere. */
export const encryptionWords = ({ encryption, origin }: Pick<KeptArchive, 'encryption' | 'origin'>): string =>
  encryption === 'none' && origin === 'uploaded' ? 'Not encrypted' : ENCRYPTION_WORDS[encryption];

export const ORIGIN_WORDS: Record<KeptArchive['origin'], string> = { made: 'Made here', uploaded: 'Uploaded' };

/** What is in encrypted archives alone. */
export const SECRET_ROWS: readonly string[] = CARRIED.filter(({ as }) => as === 'sealed').map(({ label }) => label);
