// The form by which a new appliance starts from an archive: uploaded, opened and restored at once, after the own password.
import { Readable } from 'node:stream';
import * as v from 'valibot';
import type { Forward } from '../../shared/appliance/archive/bring-forward.ts';
import type { Started } from '../../shared/appliance/archive/first-start.ts';
import { ARCHIVES_TAG, archiveFolder } from '../../shared/appliance/archive/kept.ts';
import { OPENING, PART_IDS } from '../../shared/appliance/archive/schemas.ts';
import { encryptionIn } from '../../shared/appliance/archive/upload.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { invalid, Problem } from '../../shared/ground/problems.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { openingIn } from './inspect-archive-form.ts';
import { BESIDES, FORM_MOST } from './upload-form.ts';

const PAGE = pagePath('first-start');

export const operation = defineForm(
  {
    id: 'startFromArchiveForm',
    path: PAGE,
    access: { session: 'write:archives' },
    effect: 'desired-state',
    tag: ARCHIVES_TAG,
    summary: 'Start from an archive',
    description:
      'Saves the whole state of an archive on a new appliance, all of it or nothing, and puts the accounts of an encrypted one in the place of those that are here: their sessions and tokens end. The accounts come with their second factors, without recovery codes: new ones have to be made. Which roles must have a second factor stays as it is here. Refused with 409 once first start is over: as soon as anything was saved that an archive would have, beside the management interfaces, or a second account is there. An archive without secrets has no accounts, so that those of here stay. Keys are sealed anew under the key of this appliance. The host follows at the next reviewed apply. While it runs, other changes are refused with 423. The file is not kept.',
    body: v.strictObject({
      file: v.pipe(v.string(), v.minLength(1, 'Choose a file.')),
      ...OPENING,
      leave_out: v.pipe(v.array(v.picklist(PART_IDS)), v.maxLength(100)),
    }),
    bodyLimit: FORM_MOST + BESIDES,
    problems: ['state_conflict', 'no_management_listener', 'vault_keys_unusable'],
    audit: ['archive.restore'],
    ownsAll: true,
    async prepare({ services, body: { file, leave_out, ...by } }): Promise<Forward> {
      const [{ firstChoice, refuseOnceStarted }, { bringForward }, { identityFor }, { rehearse }] = await Promise.all([
        import('../../shared/appliance/archive/first-start.ts'),
        import('../../shared/appliance/archive/bring-forward.ts'),
        import('../../shared/appliance/archive/compared.ts'),
        import('../../shared/appliance/archive/restore.ts'),
      ]);
      await refuseOnceStarted(services.store);
      const bytes = Buffer.from(file, 'base64');
      const encryption = encryptionIn(bytes);
      if (encryption === null) throw invalid({ pointer: '/file', detail: 'This file is no archive.' });
      const identity = identityFor({ encryption }, by);
      const forward = await bringForward(archiveFolder(services.settings), Readable.from([bytes]), identity);
      try {
        await rehearse(services.store, services, forward, firstChoice(leave_out));
        return forward;
      } catch (error) {
        await forward.close();
        throw error;
      }
    },
    release: (prepared) => (prepared as Forward).close(),
    async run({ tx, services, actor, body, audit, prepared }) {
      const forward = prepared as Forward;
      const { startedEvent, startFrom } = await import('../../shared/appliance/archive/first-start.ts');
      const started = await startFrom(tx, services, actor, forward, body.leave_out).catch(atTheInterfaces);
      audit(startedEvent(forward, started));
      // What was restored holds secrets.
      return { body: { accounts: started.accounts, unplaced: leftOut(forward) } };
    },
  },
  {
    page: PAGE,
    files: ['file'],
    secret: ['file', 'passphrase', 'identity'],
    confirms: { resource_type: 'archive' },
    decode: (fields) => ({
      file: fields.text('file'),
      ...openingIn(fields.values),
      leave_out: fields.all('leave_out'),
    }),
    done: ({ body }) => {
      const { accounts, unplaced } = body as Pick<Started, 'accounts'> & { unplaced: string };
      const who = accounts === null ? 'Your account stayed.' : 'You are signed in with an account of the archive.';
      return {
        location: pagePath('apply'),
        flash: `The archive is restored. ${who} ${unplaced}Review what changes, and apply it.`,
      };
    },
  },
);

/** Characters of a message: it travels in a cookie. */
const TOLD_MOST = 600;

/** What a file in plain JSON has and this appliance has no place for; empty for an archive of ours. */
function leftOut({ unplaced }: Forward): string {
  if (unplaced.length === 0) return '';
  const told = unplaced.map(({ name, count }) => `${count} of ${name}`).join(', ');
  return `Not taken over: ${told.length > TOLD_MOST ? `${told.slice(0, TOLD_MOST)}…` : told}. `;
}

/** Another machine has other adapters. */
function atTheInterfaces(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== 'no_management_listener') throw error;
  const detail = 'The interfaces of the archive leave no management listener on this machine. Leave the network out.';
  throw new Problem(error.code, error.message, { ...error.members, errors: [{ pointer: '/leave_out', detail }] });
}
