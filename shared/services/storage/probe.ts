// Asks for each datastore at each of its addresses like a host that mounts it, and from the loopback, which is in no
// network of clients, where it has to be refused. Exit codes and logs show nothing: after a reload that failed, Ganesha
// says that it is complete, and exports nothing.
import { contains, parseAddress, parseCidr } from '../../ground/addresses/address.ts';
import { companion } from '../../ground/machine/companion.ts';
import type { Host } from '../../ground/machine/host.ts';
import { type Asked, askUntilRight, type Patience, type Pause, pausing } from '../../platform/units/probing.ts';
import type { ProbeResult, UnitChange } from '../../platform/units/unit.ts';
import { type DesiredDatastore, exported, familyOf, folderOf, isEverybody, type StorageDesired } from './desired.ts';
import { SEEN, type Seen } from './disks.ts';
import { capacities } from './limits.ts';
import { takeLook } from './look.ts';
import { awayVolumes } from './mounts.ts';
import type { NfsAnswer, NfsQuestion } from './nfs-question.ts';
import { touchedDatastores } from './touched.ts';

/** After an apply: the kernel’s server answers nobody new until its grace period is over. */
const BEGINNING: Patience = { attempts: 150, pause_ms: 250, limit_ms: 45_000 };
/** What has been running for a while answers at once. */
const RUNNING: Patience = { attempts: 2, pause_ms: 250, limit_ms: 3_000 };
const ANSWER_MS = 30_000;

interface Question extends NfsQuestion {
  name: string;
  /** Whether it has to be refused. */
  stranger: boolean;
}

const LOOPBACK = { 4: '127.0.0.1', 6: '::1' } as const;

/** Whether an address is in one of the networks. */
export function isClient(address: string, clients: readonly string[]): boolean {
  const parsed = parseAddress(address)!;
  return clients.some((text) => {
    // No network of no bits is parsed.
    if (isEverybody(text)) return familyOf(text) === familyOf(address);
    const network = parseCidr(text);
    return network !== null && contains(network, parsed);
  });
}

/**
 * Pure. `strangers`: those of version 3 at which who must be refused is tried, too; one session asks for all of 4.1, so that there
 * is nothing to save.
 */
export function questionsOf(
  datastores: readonly DesiredDatastore[],
  strangers: readonly DesiredDatastore[] = datastores,
): Question[] {
  const tried = new Set(strangers);
  return datastores.flatMap((datastore) => {
    const { name, version, addresses, clients } = datastore;
    return addresses.flatMap((address) => {
      const question = { name, address, version, path: folderOf(datastore) };
      const loopback = LOOPBACK[address.includes(':') ? 6 : 4];
      const left = version === '3' && !tried.has(datastore);
      const stranger = left || isClient(loopback, clients) ? [] : [{ ...question, from: loopback, stranger: true }];
      return [{ ...question, from: address, stranger: false }, ...stranger];
    });
  });
}

const NO_LIMITS: ReadonlyMap<string, bigint> = new Map();

/** The first difference from the applied state; null where there is none. `sizes`: name → bytes by its limit. Pure. */
export function faultOf(
  questions: readonly Question[],
  answers: readonly NfsAnswer[],
  sizes = NO_LIMITS,
): string | null {
  for (const [at, { name, address, version, stranger }] of questions.entries()) {
    const { refused, error, total } = answers[at] ?? { refused: null, error: 'nothing came back', total: null };
    const where = `Datastore ${name} at ${address}`;
    if (stranger && error === null) return `${where} can be mounted by who is none of its clients.`;
    if (stranger ? refused === null : error !== null) return `${where} does not answer over NFS ${version}: ${error}.`;
    const size = sizes.get(name);
    if (!stranger && size !== undefined && total !== null && BigInt(total) !== size) {
      return `${where} shows hosts ${gib(total)}, but by its size limit it has ${gib(`${size}`)}.`;
    }
  }
  return null;
}

const GIB = 1_073_741_824n;
const gib = (bytes: string): string => `${BigInt(bytes) / GIB} GiB`;

/** Not imported from the program: importing a value of it would run it. */
function readAnswers(stdout: string): NfsAnswer[] {
  try {
    return JSON.parse(stdout) as NfsAnswer[];
  } catch {
    return [];
  }
}

const UNASKED = 'The datastores were not asked in time.';
const WHEN_BACK = 'When it is back, apply storage again.';

/** Asks once. `of`: the datastores that are asked for; default: all that are exported. `strangers`: see questionsOf. */
export async function ask(
  host: Host,
  desired: StorageDesired,
  of: readonly DesiredDatastore[] = exported(desired),
  strangers: readonly DesiredDatastore[] = of,
): Promise<Asked> {
  const questions = questionsOf(of, strangers);
  const sent = questions.map(({ address, from, version, path }): NfsQuestion => ({ address, from, version, path }));
  const args = [companion('nfs-question', import.meta.url), JSON.stringify(sent)];
  const answers = readAnswers((await host.exec(process.execPath, args, { timeout: ANSWER_MS })).stdout);
  const told = questions.flatMap(({ name, address, stranger }, at) => {
    const { total = null, available = null } = answers[at] ?? {};
    return stranger || total === null || available === null
      ? []
      : [`${name} at ${address} (${gib(available)} of ${gib(total)} left)`];
  });
  const sizes = await capacities(host, { ...desired, datastores: [...of] });
  const others = exported(desired).length - of.length;
  const left = others > 0 ? ` ${others} more did not change, and were not asked for.` : '';
  return { fault: faultOf(questions, answers, sizes), said: `Mounted as a host would: ${told.join(', ')}.${left}` };
}

/**
 * Of an apply: what a disk that is away takes along is named, so that all else can be applied meanwhile. `change`: what is
 * applied, so that only what it is about is asked for.
 */
export async function probe(
  host: Host,
  desired: StorageDesired,
  change: UnitChange | null = null,
  pause: Pause = pausing,
  seen: Seen = SEEN,
): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  const all = exported(desired);
  const away = await awayVolumes(host, desired, seen);
  const without = all.filter(({ mount_path }) => away.some((volume) => volume.mount_path === mount_path));
  const names = without.map(({ name }) => name).join(', ');
  const lost = without.length === 0 ? '' : `Not exported, since their disk is away: ${names}. ${WHEN_BACK}`;
  const datastores = all.filter((each) => !without.includes(each));
  if (datastores.length === 0) return { ok: true, said: lost || 'Nothing is exported: not asked.' };
  const of = change === null ? datastores : touchedDatastores(datastores, change);
  const { ok, said } = await askUntilRight(
    () => ask(host, { ...desired, datastores }, of),
    ...([BEGINNING, pause, UNASKED] as const),
  );
  return { ok, said: `${said} ${lost}`.trim() };
}

/** What a comparison has just asked is not asked twice. */
export async function probeInForce(
  host: Host,
  inForce: StorageDesired,
  pause: Pause = pausing,
  seen: Seen = SEEN,
): Promise<ProbeResult> {
  if (!host.enforces) return { ok: true, said: 'rehearsal: not asked' };
  if (exported(inForce).length === 0) return { ok: true, said: 'Nothing is exported: not asked.' };
  const looked = takeLook(host, inForce);
  if (looked?.fault === null) return { ok: true, said: looked.said };
  const result = await askUntilRight(() => ask(host, inForce), RUNNING, pause, UNASKED);
  if (result.ok) return result;
  const away = (await awayVolumes(host, inForce, seen)).map(({ name }) => name).join(', ');
  return away === '' ? result : { ok: false, said: `${result.said} The disk is away of: ${away}. ${WHEN_BACK}` };
}
