// Makes an archive of the appliance: the bytes as they are written, encrypted where somebody is named who may open it.
import { type AgeRecipients, encryptAge } from '../../ground/age/age.ts';
import { instant } from '../../ground/clock.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { withCopy } from './copy.ts';
import { exportArchive } from './export.ts';
import { archiveFolder } from './kept.ts';

export type MakingServices = Pick<Services, 'settings' | 'store' | 'keys' | 'keyring' | 'clock' | 'entropy'>;

/** `groundcrew-gc01-20260102T030405Z.gcarchive.age` */
export function archiveName({ settings, clock }: Pick<Services, 'settings' | 'clock'>, encrypted: boolean): string {
  const [host = 'appliance'] = settings.hostname.split('.');
  const at = instant(clock.now()).replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `groundcrew-${host.replaceAll(/[^A-Za-z0-9-]/g, '') || 'appliance'}-${at}.gcarchive${encrypted ? '.age' : ''}`;
}

/**
 * `to`: null leaves out all that holds a secret.
 * @throws Problem 409 for a secret that can't be opened; AgeFault for a recipient that is none
 */
export async function* makeArchive(
  services: MakingServices,
  by: string,
  to: AgeRecipients | null,
): AsyncGenerator<Buffer> {
  const { settings, store, clock, entropy } = services;
  const about = {
    program: settings.version,
    host_name: settings.hostname,
    created_at: instant(clock.now()),
    created_by: by,
  };
  const plain = withCopy(store, archiveFolder(settings), (copy) =>
    exportArchive(copy, services, { about, sealed: to !== null, accounts: to !== null }),
  );
  if (to === null) yield* plain;
  else yield* encryptAge(plain, to, entropy);
}
