// OVAs of the depot that somebody signed, and bytes of uploads in whose place somebody put something else.
import { existsSync } from 'node:fs';
import { link, lstat, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { applianceFacts } from '../../../shared/services/offline-depot/appliances/appliance-facts.ts';
import { findAppliance } from '../../../shared/services/offline-depot/appliances/appliances.ts';
import { applianceFolder, depotUploadPath } from '../../../shared/services/offline-depot/store.ts';
import { type Credentials, House } from '../../setup/house.ts';
import { signers } from '../../setup/make-ova/sign.ts';
import { makeOva } from '../../setup/make-ova.ts';

const UPLOADS = '/api/v1/private-cloud-services/uploads';
const APPLIANCES = '/api/v1/private-cloud-services/appliances';
const PAGE = '/ui/management/offline-depot';

let house: House;
let admin: Credentials;
beforeAll(async () => {
  house = await House.open();
  admin = await house.actor('admin');
  await mkdir(applianceFolder(house.services.host), { recursive: true });
});
afterAll(() => house.close());

const send = (method: string, path: string, body?: unknown) =>
  house.send(method, path, { token: admin.token, ...(body !== undefined && { body }) });
const inDepot = (file: string): string => join(applianceFolder(house.services.host), file);
const BYTES = Buffer.alloc(50, 7);
const FILE = 'VCF-SDDC-Manager-Appliance-9.0.1.0.24703748.ova';

async function piece(id: string) {
  const { statusCode, body } = await house.appliance.answer({
    ...house.event('PUT', `${UPLOADS}/${id}/content?offset=0`, {
      headers: { 'content-type': 'application/octet-stream' },
      raw: BYTES.toString('base64'),
      token: admin.token,
    }),
    isBase64Encoded: true,
  });
  return { status: statusCode, body: JSON.parse(body) };
}

test('a signed one says by whom, also after its certificate has expired, and never with another manifest', async () => {
  const { leaf, middle, root, sign } = signers();
  const path = inDepot('VCF-9.0.3.0.8.ova');
  const certificate = (manifest: string, at: string) =>
    `SHA256(${at})= ${sign('leaf', manifest)}\n${leaf}${middle}${root}`;
  await makeOva({ path, certificate });
  const told = { subject: 'C=US, O=Vendor, CN=leaf', chain: 'complete', algorithm: 'sha256' };
  const shown = async () => (await house.send('GET', PAGE, { session: admin })).text;
  const { body } = await send('GET', `${APPLIANCES}/VCF-9.0.3.0.8.ova`);
  expect(body.ova.signature).toMatchObject({ ...told, validity: 'valid' });
  expect(await shown()).toContain(body.ova.signature.sha256);
  const later = new Date(Date.now() + 40 * 86_400_000);
  const services = { ...house.services, clock: { now: () => later } };
  const { ova } = await applianceFacts(services, await findAppliance(house.services, 'VCF-9.0.3.0.8.ova'));
  expect(ova!.signature).toMatchObject({ ...told, validity: 'expired' });
  await makeOva({ path, certificate: (manifest, at) => certificate(`${manifest} `, at) });
  const other = (await send('GET', `${APPLIANCES}/VCF-9.0.3.0.8.ova`)).body;
  expect(other).toMatchObject({ ova: null, fault: { code: 'signature_mismatch' } });
  expect(await shown()).toContain(other.fault.detail.slice(-40));
  await rm(path);
});

test.each<[string, (secret: string, at: string) => Promise<void>, unknown]>([
  // None of its bytes are there then.
  ['a link', symlink, undefined],
  ['a hard link', link, expect.stringContaining('replaced by something else')],
])('%s in the place of its bytes: nothing is read, and nothing becomes readable', async (_what, make, fault) => {
  const id = (await send('POST', UPLOADS, { name: FILE, size_bytes: BYTES.length })).body.upload_id;
  await piece(id);
  const at = depotUploadPath(house.services.host, id);
  const secret = join(house.data, 'secret');
  await writeFile(secret, BYTES, { mode: 0o600 });
  await rm(at);
  await make(secret, at);
  await send('POST', `${UPLOADS}/${id}/complete`, {});
  await house.appliance.runner.idle();
  const { body } = await send('GET', `${UPLOADS}/${id}`);
  expect([body.state, body.fault?.detail]).toEqual(['receiving', fault]);
  expect(((await lstat(secret)).mode & 0o777).toString(8)).toBe('600');
  expect(existsSync(inDepot(FILE))).toBe(false);
  await truncate(secret, 10);
  const refused = await piece(id);
  expect([refused.status, refused.body.detail, (await lstat(secret)).size]).toEqual([
    409,
    expect.stringContaining('replaced by something else'),
    10,
  ]);
  expect((await send('DELETE', `${UPLOADS}/${id}`)).status).toBe(204);
  expect([existsSync(secret), existsSync(at)]).toEqual([true, false]);
  await rm(secret);
});
