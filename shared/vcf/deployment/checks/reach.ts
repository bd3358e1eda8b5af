// Checks of the second machine of an import: disks go to the host that has the datastore, not to vCenter. Each host has
// to resolve, be permitted, and speak TLS. A host whose certificate is not the inventory's gets a warning: the upload
// sends nothing to it, unless the lease of the import names its certificate. Hosts of the inventory are looked at like
// typed ones: few of them, counted and recorded.
import { Problem } from '../../../ground/problems.ts';
import { authorityText, parseServer, type Target } from '../../connection/target.ts';
import type { Inventory } from '../../vsphere/inventory.ts';
import { thumbprintOf } from '../../vsphere/upload-host.ts';
import { type Check, ok, refused, warning } from '../check.ts';
import type { Gate } from '../gate.ts';
import type { Looks } from '../looks.ts';
import type { DeploymentRequest } from '../request.ts';
import type { Questions, ShownCertificate } from '../shell.ts';
import { hostsFor, usable } from './placement.ts';

const UPLOAD = ['upload-host', 'Host that takes the disks'] as const;
/** When the cluster chooses the host. */
export const MOST_HOSTS = 4;
/** Where hosts take disks. Another port is looked at only where the settings name the address. */
const PORT = 443;
const WAY_REACH = 'This appliance has to reach each of these hosts by the name that vCenter has for it.';
const WAY_CERTIFICATE =
  'If the host has a new certificate, reconnect it in vCenter so that it knows that one, then check again.';

export interface Reaching {
  questions: Pick<Questions, 'tls'>;
  looks: Looks;
  gate: Pick<Gate, 'isAllowed'>;
}

/** @throws Problem 429 when there are too many hosts for this user; then none was looked at */
export async function checkUploadHosts(
  { questions: { tls }, looks, gate }: Reaching,
  request: DeploymentRequest,
  inventory: Inventory,
): Promise<Check> {
  const own = request.target;
  if (inventory.kind === 'esxi') return ok(UPLOAD, `${own.host} takes them itself, over the confirmed certificate.`);
  const hosts = hostsFor(request, inventory).seeing.filter(usable);
  // The check of the host shows it already.
  if (hosts.length === 0) return warning(UPLOAD, 'No host is able to take them.', 'See the check of the host.');
  const chosen = hosts.slice(0, request.placement.host_id ? 1 : MOST_HOSTS);
  const tried = chosen.filter(({ name, port }) => port === PORT || gate.isAllowed(name));
  const odd = chosen.filter((host) => !tried.includes(host));
  const targets = tried.map(({ name, port, thumbprint }) => ({ name, thumbprint, target: targetOf(name, port) }));
  looks.count(targets.flatMap(({ target }) => target ?? []));
  const looked = await Promise.all(
    targets.map(async ({ name, thumbprint, target }) => ({
      ...{ name, named: thumbprintOf(thumbprint ?? '') !== null },
      fault: target ? await faultOf(tls, target, thumbprint, looks) : NO_NAME,
    })),
  );
  const failed = looked.flatMap(({ name, fault }) => (fault ? [{ name, ...fault }] : []));
  const words = [
    ...failed.map(({ name, said }) => `${name}: ${said}`),
    ...odd.map(({ name, port }) => `${name} was not looked at: it has port ${port} instead of ${PORT}.`),
  ].join(' ');
  const fine = looked.filter(({ fault }) => fault === null);
  const rest = hosts.length - chosen.length;
  const others = rest === 0 ? '' : ` ${rest} more were not looked at.`;
  if (words === '') return ok(UPLOAD, `${fineWords(fine)}${others}`);
  const ways = new Set([...failed.map(({ way_out }) => way_out), ...odd.map(() => WAY_REACH)]);
  const way_out = [...ways].join(' ');
  const none = failed.every(({ sure }) => sure) && fine.length === 0 && odd.length === 0 && rest === 0;
  return none ? refused(UPLOAD, words, way_out) : warning(UPLOAD, `${words}${others}`, way_out);
}

function fineWords(fine: readonly { name: string; named: boolean }[]): string {
  const listed = (some: typeof fine) => some.map(({ name }) => name).join(', ');
  const said = `${listed(fine)}: resolves, is permitted, and speaks TLS`;
  const unnamed = fine.filter(({ named }) => !named);
  if (unnamed.length === 0) return `${said} with the certificate that vCenter names.`;
  return `${said}. vCenter names no certificate of ${listed(unnamed)}: disks go there only if the lease of the import names the one that is shown.`;
}

interface Fault {
  said: string;
  way_out: string;
  /** Whatever the lease of the import will say, the upload fails. */
  sure: boolean;
}

const NO_NAME: Fault = { said: 'that is no host name.', way_out: WAY_REACH, sure: true };

/**
 * Null for a name that nobody could have typed. The name of a host in the inventory is the one that vCenter names it by
 * in a lease.
 */
function targetOf(name: string, port: number): Target | null {
  try {
    const target = parseServer(authorityText({ host: name.toLowerCase(), port }));
    // A name with a port in it would lead elsewhere.
    return target.port === port ? target : null;
  } catch {
    return null;
  }
}

async function faultOf(
  tls: Questions['tls'],
  target: Target,
  thumbprint: string | null,
  looks: Looks,
): Promise<Fault | null> {
  try {
    const shown = await tls(target);
    const said = differenceOf(shown, thumbprint);
    // The upload also ends when the lease does not name the certificate that the host shows.
    looks.host(target, said === null ? (shown.address ?? 'answered') : 'untrusted_host');
    return said === null ? null : { said, way_out: WAY_CERTIFICATE, sure: false };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    looks.host(target, error.code);
    return { said: error.message, way_out: WAY_REACH, sure: true };
  }
}

const DIGESTS = { sha1: 'SHA-1', sha256: 'SHA-256' } as const;

/**
 * Null when it is the one that vCenter names, and when it names none that can be compared: the lease of the import may.
 */
function differenceOf(shown: ShownCertificate, thumbprint: string | null): string | null {
  const named = thumbprintOf(thumbprint ?? '');
  if (named === null) return null;
  const text = shown[named.algorithm] ?? '';
  if (thumbprintOf(text)?.digits === named.digits) return null;
  const theirs = named.digits.toUpperCase().match(/../g)!.join(':');
  return `it shows a certificate with ${DIGESTS[named.algorithm]} ${text}, but vCenter names another one, ${theirs}: the upload stops there unless the lease of the import names the one that is shown.`;
}
