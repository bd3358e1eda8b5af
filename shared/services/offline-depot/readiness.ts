// What the offline depot still needs before other appliances can get their software from it.
import { validFor } from '../../platform/certificate-authority/certificate-store.ts';
import { documentOf } from '../../platform/units/documents.ts';
import { listening, type UnitReadiness } from '../../platform/units/readiness.ts';
import { depot } from './facts.ts';
import { privateCloudServicesSettings } from './settings.ts';

type DepotStep = 'root' | 'software_depot_id' | 'user' | 'http_user' | 'enabled' | 'applied' | 'certificate';

/** `root` is of the certificate authority. */
export const readiness: UnitReadiness<DepotStep> = {
  settings: privateCloudServicesSettings,
  order: [
    ['root'],
    ['software_depot_id'],
    ['user'],
    ['http_user', 'user'],
    ['enabled'],
    ['applied', 'enabled'],
    ['certificate', 'root', 'enabled'],
  ],
  rows: {
    software_depot_id: 'SELECT 1 FROM depot_identity',
    // Open access needs none.
    user: `SELECT 1 WHERE EXISTS (SELECT 1 FROM depot_user)
      OR coalesce(json_extract(${documentOf('private-cloud-services')}, '$.allow_unauthenticated_access'), 0)`,
    certificate: validFor('private-cloud-services', '?1'),
  },
  set: (saved) => ({
    enabled: listening(saved),
    http_user: saved.http_user !== '' || saved.allow_unauthenticated_access === true,
  }),
  inForce(facts) {
    const access = depot.get(facts, 'access');
    return {
      enabled: depot.get(facts, 'enabled') === true,
      http_user: access !== undefined && ('everybody' in access || access.user !== ''),
    };
  },
  atOnce: ['software_depot_id', 'user', 'certificate'],
};
