// Installer media: taken from the import folder, uploaded, unpacked by a job.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { esxiEntries } from '../../setup/esxi-iso.ts';
import type { Given, Scenarios, Scene } from './scenario.ts';

const MEDIA = '/api/v1/network-boot/media';

/** A folder with the files of an image, below the import folder. */
async function placed({ house, next }: Scene): Promise<Given> {
  const path = `image-${next()}`;
  for (const { path: names, content } of esxiEntries()) {
    const target = join(house.data, 'import', path, ...names);
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, content!);
  }
  return { name: path, path };
}

/** The job that was started comes to its end. */
const idle = ({ house }: Scene): Promise<void> => house.appliance.runner.idle();

async function ready(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', MEDIA, await placed(scene));
  await idle(scene);
  const medium = (await scene.api('GET', `${MEDIA}/${body.medium_id}`)).body;
  if (medium.state !== 'ready') throw new Error(medium.fault);
  return { medium_id: medium.id, name: medium.name, revision: String(medium.revision) };
}

async function receiving(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', MEDIA, { name: `upload-${scene.next()}`, size_bytes: 5 });
  return { medium_id: body.medium_id };
}

export const BOOT_MEDIA: Scenarios = {
  createBootMedium: {
    given: placed,
    audit: ['network-boot.medium.create'],
    after: idle,
    statements: 9,
  },
  createBootMediumForm: {
    given: placed,
    send: ({ name, path }) => ({ form: { name: name!, path: path!, enabled: 'on' } }),
    audit: ['network-boot.medium.create'],
    after: idle,
    statements: 9,
  },
  uploadBootMedium: {
    given: receiving,
    query: '?offset=0',
    send: () => ({ raw: 'bytes', headers: { 'content-type': 'application/octet-stream' } }),
    audit: ['network-boot.medium.upload'],
    after: idle,
    statements: 11,
  },
  beginBootMediumUploadForm: {
    given: async ({ next }) => ({ name: `upload-${next()}` }),
    send: ({ name }) => ({ form: { name: name!, size_bytes: '5' } }),
    audit: ['network-boot.medium.create'],
    statements: 9,
  },
  uploadBootMediumForm: {
    given: async (scene) => ({ ...(await receiving(scene)), csrf: scene.admin.csrf }),
    query: '?offset=0',
    send: ({ csrf }) => ({
      raw: 'bytes',
      headers: { 'content-type': 'application/octet-stream', 'x-csrf-token': csrf! },
    }),
    audit: ['network-boot.medium.upload'],
    after: idle,
    statements: 11,
  },
  getBootMedium: { given: ready },
  updateBootMedium: {
    given: ready,
    audit: ['network-boot.medium.update'],
  },
  updateBootMediumForm: {
    given: ready,
    send: ({ name, revision }) => ({
      form: { name: name!, description: 'Lab', enabled: 'on', revision: revision! },
    }),
    audit: ['network-boot.medium.update'],
  },
  deleteBootMedium: { given: ready, audit: ['network-boot.medium.delete'] },
  deleteBootMediumForm: {
    given: ready,
    send: ({ revision }) => ({ form: { revision: revision! } }),
    audit: ['network-boot.medium.delete'],
  },

  bootMediumPage: { given: ready },
  deleteBootMediumPage: { given: ready },
};
