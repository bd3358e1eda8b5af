// Makes an archive of everything that is saved, and keeps it for the download.

import type { Made } from '../../shared/appliance/archive/keep.ts';
import { ARCHIVES_PATH, ARCHIVES_TAG, addArchive } from '../../shared/appliance/archive/kept.ts';
import { type ArchiveCreate, archiveCreateSchema, archiveSchema } from '../../shared/appliance/archive/schemas.ts';
import type { AgeRecipients } from '../../shared/ground/age/age.ts';
import { invalid } from '../../shared/ground/problems.ts';
import type { Actor } from '../../shared/kernel/access/actor.ts';
import { missingScope } from '../../shared/kernel/access/missing-scope.ts';
import { defineOperation } from '../../shared/kernel/operation/define-operation.ts';

export const operation = defineOperation({
  id: 'createArchive',
  method: 'POST',
  path: ARCHIVES_PATH,
  access: { scope: 'write:archives' },
  effect: 'immediate',
  tag: ARCHIVES_TAG,
  summary: 'Make an archive',
  description:
    'Changes application state immediately: writes everything that is saved into one file, which is kept on the appliance until it is deleted. Download it and keep it elsewhere. Encrypted, it is a file of age version 1 and holds secrets as well, so it needs `write:vaults` too; not encrypted, it leaves out whatever holds a secret. Encrypted, it carries the accounts too, with hashes of their passwords, for an appliance that starts from it; a restore never touches accounts. Never in it: API tokens, keys files, audit log, jobs, plans, and the bytes of media and depots. Passphrases are not kept.',
  body: archiveCreateSchema,
  answers: { 201: { description: 'The archive, whole and ready for the download.', schema: archiveSchema } },
  problems: ['state_conflict', 'vault_keys_unusable'],
  audit: ['archive.create'],
  async prepare({ services, actor, body }): Promise<Made> {
    const to = recipientsOf(body);
    if (to !== null) refuseSecrets(actor);
    const { keepArchive } = await import('../../shared/appliance/archive/keep.ts');
    return keepArchive(services, actor.name, to);
  },
  async run({ tx, services, actor, body: { encryption, recipients }, audit, prepared }) {
    const made = prepared as Made;
    const row = { ...made, origin: 'made', state: 'ready', encryption, created_by: actor.name } as const;
    const archive = await addArchive(tx, services, row);
    const { id, name, size_bytes, sha256 } = archive;
    const detail = { name, encryption, recipients: recipients ?? [], size_bytes, sha256 };
    audit({ action: 'archive.create', resource_type: 'archive', resource_id: id, detail });
    return { status: 201, body: archive };
  },
});

/** @throws Problem 422 */
function recipientsOf({ encryption, passphrase, recipients }: ArchiveCreate): AgeRecipients | null {
  if (passphrase !== undefined && encryption !== 'passphrase')
    throw invalid({ pointer: '/passphrase', detail: 'Leave it out: the archive is not encrypted with a passphrase.' });
  if (recipients !== undefined && encryption !== 'recipients')
    throw invalid({ pointer: '/recipients', detail: 'Leave it out: the archive is not encrypted for recipients.' });
  if (encryption === 'none') return null;
  if (encryption === 'recipients') {
    if (recipients === undefined) throw invalid({ pointer: '/recipients', detail: 'At least one recipient.' });
    return { recipients };
  }
  if (passphrase === undefined) throw invalid({ pointer: '/passphrase', detail: 'Type a passphrase.' });
  return { passphrase };
}

/** @throws Problem 403: an encrypted archive has the values of vaults */
function refuseSecrets(actor: Actor): void {
  if (actor.scopes.has('write:vaults')) return;
  throw missingScope(actor, 'write:vaults', 'An encrypted archive holds the values of the vaults.');
}
