// Checks of the extras for the new appliance: the root that it shall trust, the depot that it shall use, and the zone
// of its name.

import type { Services } from '../../../kernel/operation/services.ts';
import { rootCertificate } from '../../../platform/certificate-authority/authority.ts';
import { depotAvailability } from '../../../services/offline-depot/serving/availability.ts';
import { checkDepot } from '../../../services/offline-depot/serving/check.ts';
import type { Addressing } from '../addressing.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import { plannedRecords } from '../name-records.ts';
import type { DeploymentRequest } from '../request.ts';

const DNS = ['dns-extra', 'Records to save'] as const;
const TRUST = ['trust-extra', 'Certificate authority to trust'] as const;
const DEPOT = ['depot-extra', 'Offline depot to use'] as const;

export async function checkExtras(
  services: Services,
  { extras, power_on }: DeploymentRequest,
  addressing: Addressing,
  depot_password: string | null,
): Promise<Check[]> {
  return [
    ...(extras.dns ? [await checkRecords(services, addressing)] : []),
    ...(extras.trust ? [await checkRoot(services, power_on)] : []),
    ...(extras.depot ? await checkOwnDepot(services, power_on, depot_password) : []),
  ];
}

async function checkRecords(services: Services, addressing: Addressing): Promise<Check> {
  const { records, conflicts, why_not, off } = await plannedRecords(services.store, addressing);
  if (why_not !== null) return warning(DNS, why_not, 'Without them the deployment goes on; save them by hand.');
  if (conflicts.length > 0) return warning(DNS, `${conflicts.join('; ')}.`, 'What is there is never overwritten.');
  const names = records.map(({ fqdn, type, value }) => `${fqdn} ${type} ${value}`).join(', ');
  const said = names === '' ? 'The records are saved already.' : `${names}.`;
  if (off !== null) return warning(DNS, `${said} Nobody is told of them: ${off} is off.`, switchOn(off));
  return ok(DNS, said);
}

const switchOn = (off: string) => `Switch ${off} on and apply it, or have them saved without being in force.`;

const ASLEEP = 'Have the machine switched on, or leave this out.';

async function checkRoot({ store }: Services, power_on: boolean): Promise<Check> {
  if (!power_on) return refused(TRUST, 'The machine is not switched on, so there is nothing to tell it to.', ASLEEP);
  const root = await rootCertificate(store);
  if (root) return ok(TRUST, `${root.subject}, SHA-256 ${root.sha256}.`);
  return refused(TRUST, 'The certificate authority has no root yet.', 'Create it at Certificate authority.');
}

async function checkOwnDepot(services: Services, power_on: boolean, password: string | null): Promise<Check[]> {
  if (!power_on) return [refused(DEPOT, 'The machine is not switched on, so there is nothing to tell it to.', ASLEEP)];
  const { missing, endpoint } = await depotAvailability(services);
  if (!endpoint) {
    return missing.map(({ code, text }) => refused([`${DEPOT[0]} ${code}`, DEPOT[1]], text, 'See Offline depot.'));
  }
  if (password === null || password === '') {
    return [refused(DEPOT, `The password of ${endpoint.username} is missing.`, 'Enter the password of the depot.')];
  }
  const { ok: well, said, way_out, login_refused } = await checkDepot(endpoint, password);
  if (well) return [ok(DEPOT, said)];
  // Only the first of them leads to the field of the password.
  return [refused(login_refused ? DEPOT : [`${DEPOT[0]} unusable`, DEPOT[1]], said, way_out)];
}
