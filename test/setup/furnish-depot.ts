// The depot of the lab: who may read it, an OVA beside the one that is deployed, one that is half uploaded, and the
// certificate that it serves with, which took the place of another. Expects a root certificate.
import { truncate, writeFile } from 'node:fs/promises';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { ensureServerCertificate } from '../../shared/platform/certificate-authority/issue.ts';
import { CERTIFICATE_PURPOSE } from '../../shared/services/offline-depot/manifest.ts';
import { depotUploadPath, makeUploadsFolder } from '../../shared/services/offline-depot/store.ts';
import { putOva } from './deployment-scene.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Call = (method: string, path: string, body?: unknown) => Promise<any>;

const BASE = '/api/v1/private-cloud-services';
const PASSWORD = 'a password of the depot';
const OLDER = 'VCF-SDDC-Manager-Appliance-9.0.2.0.24700000.ova';
const HALF = { name: 'VCF-SDDC-Manager-Appliance-9.1.1.0.25100000.ova', size_bytes: 640 << 20 };

/** Before the apply: what is chosen here is in force afterwards. Answers a sample of each path parameter. */
export async function furnishDepot(services: Services, call: Call): Promise<Record<string, string>> {
  const user = await call('POST', `${BASE}/http-users`, { name: 'sddc-manager', password: PASSWORD });
  await call('POST', `${BASE}/http-users`, { name: 'installer', password: PASSWORD });
  await call('POST', `${BASE}/software-depot-id`, {});
  await call('PATCH', `${BASE}/settings`, { http_user: 'sddc-manager' });
  for (const names of [['old-depot.lab.example'], ['depot.lab.example', '192.168.10.2']]) {
    await ensureServerCertificate(services, { purpose: CERTIFICATE_PURPOSE, names });
  }
  await putOva(services, {}, OLDER);
  const { upload_id } = await call('POST', `${BASE}/uploads`, HALF);
  await makeUploadsFolder(services.host);
  const path = depotUploadPath(services.host, upload_id);
  await writeFile(path, '');
  await truncate(path, HALF.size_bytes * 0.6);
  return { http_user_id: user.id, file: OLDER };
}
