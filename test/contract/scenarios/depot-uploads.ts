// OVAs that are uploaded into the offline depot, and those that are there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applianceFolder } from '../../../shared/services/offline-depot/store.ts';
import type { Given, Scenario, Scenarios, Scene } from './scenario.ts';

const UPLOADS = '/api/v1/private-cloud-services/uploads';
const BYTES = { raw: 'bytes', headers: { 'content-type': 'application/octet-stream' } };

const fileName = async ({ next }: Scene): Promise<Given> => ({ name: `appliance-9.0.${next()}.ova` });

/** Waits for its five bytes. */
async function begun(scene: Scene): Promise<Given> {
  const { body } = await scene.api('POST', UPLOADS, { ...(await fileName(scene)), size_bytes: 5 });
  return { upload_id: body.upload_id, csrf: scene.admin.csrf };
}

async function whole(scene: Scene): Promise<Given> {
  const given = await begun(scene);
  const path = `${UPLOADS}/${given.upload_id}/content?offset=0`;
  const { status } = await scene.house.send('PUT', path, { token: scene.admin.token, ...BYTES });
  if (status !== 200) throw new Error(`a piece was answered ${status}`);
  return given;
}

async function placed(scene: Scene): Promise<Given> {
  const { name } = await fileName(scene);
  const folder = applianceFolder(scene.house.services.host);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name!), 'bytes');
  return { file: name! };
}

const completing: Scenario = {
  given: whole,
  audit: ['depot.upload.complete'],
  after: ({ house }) => house.appliance.runner.idle(),
  statements: 11,
};

export const DEPOT_UPLOADS: Scenarios = {
  beginDepotUpload: {
    given: fileName,
    audit: ['depot.upload.begin'],
  },
  beginDepotUploadForm: {
    given: fileName,
    send: ({ name }) => ({ form: { name: name!, size_bytes: '5' } }),
    audit: ['depot.upload.begin'],
  },
  receiveDepotUpload: { given: begun, query: '?offset=0', send: () => BYTES, audit: [] },
  receiveDepotUploadForm: {
    given: begun,
    query: '?offset=0',
    send: ({ csrf }) => ({ ...BYTES, headers: { ...BYTES.headers, 'x-csrf-token': csrf! } }),
    audit: [],
  },
  getDepotUpload: { given: begun },
  completeDepotUpload: completing,
  completeDepotUploadForm: { ...completing, send: () => ({ form: {} }) },
  deleteDepotUpload: { given: begun, audit: ['depot.upload.delete'] },
  deleteDepotUploadForm: { given: begun, audit: ['depot.upload.delete'] },
  getDepotAppliance: { given: placed },
  deleteDepotAppliance: { given: placed, audit: ['depot.appliance.delete'] },
  deleteDepotApplianceForm: { given: placed, audit: ['depot.appliance.delete'] },
  deleteDepotAppliancePage: { given: placed },
};
