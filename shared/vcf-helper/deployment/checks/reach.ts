// Checks of the second machine of an import: disks go to the host that has the datastore, not to vCenter. Each has to
// resolve, be permitted, and speak TLS.
import { Problem } from '../../../operation/problems.ts';
import type { Target } from '../../../remote/target.ts';
import type { Inventory } from '../../../vsphere/inventory.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import type { DeploymentRequest } from '../request.ts';
import type { Questions } from '../shell.ts';
import { hostsFor, usable } from './placement.ts';

const UPLOAD = ['upload-host', 'Host that takes the disks'] as const;
const MOST_HOSTS = 16;

export async function checkUploadHosts(
  { tls }: Pick<Questions, 'tls'>,
  request: DeploymentRequest,
  inventory: Inventory,
): Promise<Check> {
  const own = request.target;
  if (inventory.kind === 'esxi') return ok(UPLOAD, `${own.host} takes them itself, over the confirmed certificate.`);
  const hosts = hostsFor(request, inventory).seeing.filter(usable);
  // The check of the host says it already.
  if (hosts.length === 0) return warning(UPLOAD, 'No host is able to take them.', 'See the check of the host.');
  const tried = hosts.slice(0, MOST_HOSTS);
  const looked = await Promise.all(
    tried.map(async ({ name, port }) => ({ name, fault: await faultOf(tls, name, port) })),
  );
  const failed = looked.filter(({ fault }) => fault !== null);
  const words = failed.map(({ name, fault }) => `${name}: ${fault}`).join(' ');
  const names = looked.filter(({ fault }) => fault === null).map(({ name }) => name);
  if (failed.length === 0) return ok(UPLOAD, `${names.join(', ')}: resolves, is permitted, and speaks TLS.`);
  const way_out = 'This appliance has to reach each of these hosts by the name that vCenter has for it.';
  return names.length === 0 ? refused(UPLOAD, words, way_out) : warning(UPLOAD, words, way_out);
}

/** The name of a host in the inventory is the one that vCenter names it by in a lease. */
async function faultOf(tls: (target: Target) => Promise<unknown>, host: string, port: number): Promise<string | null> {
  try {
    await tls({ host, port });
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
