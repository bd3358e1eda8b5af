// What a deployment of the tests is asked for: an OVA in the depot, a place in an inventory, properties, and its secrets.
// Without the fakes: programs that are bundled and killed use it too.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { indexOva } from '../../shared/ground/ova/index-ova.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { applianceFolder } from '../../shared/services/offline-depot/store.ts';
import type { TrustedTarget } from '../../shared/vcf/connection/trust.ts';
import { queueDeployment } from '../../shared/vcf/deployment/queue.ts';
import {
  type DeploymentRequest,
  keptSecrets,
  readDeployment,
  type TypedDeployment,
} from '../../shared/vcf/deployment/request.ts';
import type { DeploymentShell } from '../../shared/vcf/deployment/shell.ts';
import type { Inventory } from '../../shared/vcf/vsphere/inventory.ts';
import { DEPOT_PASSWORD } from '../setup/depot.ts';
import { type MadeOva, makeOva, type OvaRecipe, sddcManagerAnswers } from '../setup/make-ova.ts';

export const NAME = 'sddc01';
export const FILE = 'VCF-SDDC-Manager-Appliance-9.1.0.0.24962180.ova';
export const APPLIANCE = '127.0.0.61';
/** Times of a test instead of those of a machine that boots for an hour. */
export const QUICK: Partial<DeploymentShell> = {
  progress_ms: 100,
  look_ms: 50,
  wait_seconds: 20,
  lease_seconds: 2,
  lease_slack_seconds: 1,
  upload_idle_ms: 3000,
};

export async function placeOva({ host }: Pick<Services, 'host'>, recipe: Partial<OvaRecipe> = {}): Promise<MadeOva> {
  const folder = applianceFolder(host);
  mkdirSync(folder, { recursive: true });
  return makeOva({ path: join(folder, FILE), disks: [{ size: 3 << 20 }, { size: 5_000_001 }], ...recipe });
}

/** A place that fits, and properties whose address is that of the fake appliance. */
export function typedFor(inventory: Inventory, part: Partial<TypedDeployment> = {}): TypedDeployment {
  const host = inventory.hosts.find((one) => one.datastore_ids.length > 0 && one.network_ids.length > 0)!;
  const compute = inventory.compute.find(({ id }) => id === host.compute_id)!;
  return {
    name: NAME,
    placement: {
      datacenter_id: compute.datacenter_id,
      pool_id: compute.pool_id,
      host_id: host.id,
      datastore_id: host.datastore_ids[0]!,
      folder_id: null,
      networks: { 'Network 1': host.network_ids[0]! },
    },
    deployment_option: '',
    disk_provisioning: 'thin',
    properties: { ...sddcManagerAnswers(), 'vami.ip0.SDDC-Manager': APPLIANCE },
    power_on: true,
    extras: { dns: false, trust: false, depot: false },
    ...part,
  };
}

export interface ReadRequest {
  request: DeploymentRequest;
  secret_values: Record<string, string>;
}

export async function requestFor(
  { host }: Pick<Services, 'host'>,
  target: TrustedTarget,
  typed: TypedDeployment,
): Promise<ReadRequest> {
  const pkg = await indexOva(join(applianceFolder(host), FILE));
  return readDeployment({ target, stored: null, file: FILE, pkg, place: 'LocalDS_0 of DC0_H0' }, typed);
}

export async function queueWith(
  services: Services,
  { request, secret_values }: ReadRequest,
  login: { username: string; password: string } | null,
  created_by = 'ada',
): Promise<string> {
  const id = await services.store.write((tx) => queueDeployment(tx, services, request, created_by));
  const depot_password = request.extras.depot ? DEPOT_PASSWORD : null;
  jobSecrets(services).put(id, keptSecrets({ login, properties: secret_values, depot_password, appliance: null }));
  return id;
}
