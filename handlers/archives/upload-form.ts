// The form that uploads an archive whole, without script. Larger ones are sent in pieces, over the API.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as v from 'valibot';
import { ARCHIVES_TAG, addArchive, archiveFile, refuseTooMany } from '../../shared/appliance/archive/kept.ts';
import { encryptionIn, receiveArchive, refuseNoRoom, UNNAMED } from '../../shared/appliance/archive/upload.ts';
import { newId } from '../../shared/ground/clock.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { invalid } from '../../shared/ground/problems.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';

const PAGE = `${pagePath('archives')}/upload`;
/** What a form has besides its file. */
export const BESIDES = 64 << 10;
/** Bytes of a file that a form brings at once: with the rest of it, what a request may have at most. */
export const FORM_MOST = (4 << 20) - BESIDES;

interface Uploaded {
  id: string;
  bytes: Buffer;
  encryption: NonNullable<ReturnType<typeof encryptionIn>>;
}

export const operation = defineForm(
  {
    id: 'uploadArchiveForm',
    path: PAGE,
    access: { session: 'write:archives' },
    effect: 'immediate',
    tag: ARCHIVES_TAG,
    summary: 'Upload an archive',
    description: 'Changes application state immediately: keeps the file, which changes nothing else.',
    body: v.strictObject({ file: v.pipe(v.string(), v.minLength(1, 'Choose a file.')) }),
    bodyLimit: FORM_MOST + BESIDES,
    problems: ['state_conflict'],
    audit: ['archive.upload'],
    async prepare({ services, body }): Promise<Uploaded> {
      const bytes = Buffer.from(body.file, 'base64');
      const encryption = encryptionIn(bytes);
      if (encryption === null) throw invalid({ pointer: '/file', detail: 'This file is no archive.' });
      await refuseTooMany(services.store);
      await refuseNoRoom(services, bytes.length);
      const id = newId('archive', services.entropy);
      try {
        await receiveArchive(services, id, { offset: 0, bytes, size: bytes.length });
      } catch (error) {
        await rm(archiveFile(services.settings, id), { force: true });
        throw error;
      }
      return { id, bytes, encryption };
    },
    async run({ tx, services, actor, audit, prepared }) {
      const { id, bytes, encryption } = prepared as Uploaded;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const name = encryption === 'none' ? UNNAMED : `${UNNAMED}.age`;
      const about = { id, name, encryption, size_bytes: bytes.length, sha256 };
      const row = { ...about, origin: 'uploaded', state: 'ready', created_by: actor.name } as const;
      const archive = await addArchive(tx, services, row);
      const detail = { name: archive.name, size_bytes: bytes.length, sha256, encryption };
      audit({ action: 'archive.upload', resource_type: 'archive', resource_id: id, detail });
      return { body: archive };
    },
  },
  {
    page: PAGE,
    files: ['file'],
    secret: ['file'],
    decode: (fields) => ({ file: fields.text('file') }),
    done: ({ body }) => ({ location: `${pagePath('archive', (body as { id: string }).id)}/restore` }),
  },
);
