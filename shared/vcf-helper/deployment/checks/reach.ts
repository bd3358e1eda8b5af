// Checks of the second machine of an import: disks go to the host that has the datastore, not to vCenter. Each has to
// resolve, be permitted, and speak TLS. What the inventory names is looked at as if somebody had typed it: few of them,
// counted and recorded.
import { Problem } from '../../../operation/problems.ts';
import { authorityText, parseServer, type Target } from '../../../remote/target.ts';
import type { Inventory } from '../../../vsphere/inventory.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import type { Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { DeploymentRequest } from '../request.ts';
import type { Questions } from '../shell.ts';
import { hostsFor, usable } from './placement.ts';

const UPLOAD = ['upload-host', 'Host that takes the disks'] as const;
/** When the cluster chooses the host. */
export const MOST_HOSTS = 4;
/** Where hosts take disks. Another port is looked at only where the settings name the address. */
const PORT = 443;

export interface Reaching {
  questions: Pick<Questions, 'tls'>;
  looks: Looks;
  gate: Pick<Gate, 'isAllowed'>;
}

/** @throws Problem 429 when they are too many for this user; then none was looked at */
export async function checkUploadHosts(
  { questions: { tls }, looks, gate }: Reaching,
  request: DeploymentRequest,
  inventory: Inventory,
): Promise<Check> {
  const own = request.target;
  if (inventory.kind === 'esxi') return ok(UPLOAD, `${own.host} takes them itself, over the confirmed certificate.`);
  const hosts = hostsFor(request, inventory).seeing.filter(usable);
  // The check of the host says it already.
  if (hosts.length === 0) return warning(UPLOAD, 'No host is able to take them.', 'See the check of the host.');
  const chosen = hosts.slice(0, request.placement.host_id ? 1 : MOST_HOSTS);
  const tried = chosen.filter(({ name, port }) => port === PORT || gate.isAllowed(name));
  const odd = chosen.filter((host) => !tried.includes(host));
  const targets = tried.map(({ name, port }) => ({ name, target: targetOf(name, port) }));
  looks.count(targets.flatMap(({ target }) => target ?? []));
  const looked = await Promise.all(
    targets.map(async ({ name, target }) => ({
      name,
      fault: target ? await faultOf(tls, target, looks) : 'that is no host name.',
    })),
  );
  const failed = looked.filter(({ fault }) => fault !== null);
  const words = [
    ...failed.map(({ name, fault }) => `${name}: ${fault}`),
    ...odd.map(({ name, port }) => `${name} was not looked at: it has port ${port} instead of ${PORT}.`),
  ].join(' ');
  const names = looked.filter(({ fault }) => fault === null).map(({ name }) => name);
  const rest = hosts.length - chosen.length;
  const others = rest === 0 ? '' : ` ${rest} more were not looked at.`;
  if (words === '') return ok(UPLOAD, `${names.join(', ')}: resolves, is permitted, and speaks TLS.${others}`);
  const way_out = 'This appliance has to reach each of these hosts by the name that vCenter has for it.';
  const none = names.length === 0 && odd.length === 0 && rest === 0;
  return none ? refused(UPLOAD, words, way_out) : warning(UPLOAD, `${words}${others}`, way_out);
}

/** Null for a name that nobody could have typed. The name of a host in the inventory is the one that vCenter names it by in a lease. */
function targetOf(name: string, port: number): Target | null {
  try {
    const target = parseServer(authorityText({ host: name.toLowerCase(), port }));
    // A name with a port in it would lead elsewhere.
    return target.port === port ? target : null;
  } catch {
    return null;
  }
}

async function faultOf(tls: Questions['tls'], target: Target, looks: Looks): Promise<string | null> {
  try {
    const { address } = await tls(target);
    looks.host(target, address ?? 'answered');
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    looks.host(target, error.code);
    return error.message;
  }
}
