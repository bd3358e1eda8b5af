// Opens the files of another machine for a session: the same login as a terminal's, SFTP on it, and the row of the audit log before
// anybody sees a file.
import { instant, newId } from '../ground/clock.ts';
import { Problem } from '../ground/problems.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { type AuditContext, appendAudit } from '../kernel/audit/audit.ts';
import { sessionCookie } from '../kernel/operation/middleware/authentication.ts';
import type { RequestFacts } from '../kernel/operation/operation.ts';
import type { Services } from '../kernel/operation/services.ts';
import { findSshCredential } from '../platform/vaults/credentials.ts';
import { confirmedHostKey } from '../services/web-terminal/host-keys.ts';
import { opensAt, readManifest, type TerminalManifest } from '../services/web-terminal/manifest.ts';
import { visitKeyIn } from '../services/web-terminal/remote-files/key.ts';
import { Sftp } from '../services/web-terminal/remote-files/sftp.ts';
import type { Asker, FileVisit, Visitor } from '../services/web-terminal/remote-files/visit.ts';
import { type FileVisits, visitsOf } from '../services/web-terminal/remote-files/visits.ts';
import { type OpenTerminal, whatOf } from '../services/web-terminal/session/open-terminals.ts';
import { hashed, type RemoteTarget } from '../services/web-terminal/session/tickets.ts';
import { serverText } from '../vcf/connection/target.ts';
import { logIn, remoteOf, requireTerminalAdmin } from './terminal-hosts.ts';

const LOGIN_MS = 60_000;

/** Over which connection, and by which session. @throws Problem 403, 409 */
export async function requireInForce(
  services: Services,
  actor: Actor,
  request: RequestFacts,
): Promise<{ visitor: Visitor; manifest: TerminalManifest }> {
  requireTerminalAdmin(actor);
  const manifest = await readManifest(services.host);
  const local = request.connection?.local_address ?? '';
  if (!opensAt(manifest, local))
    throw new Problem('state_conflict', 'The web terminal is not in force at this address.');
  const session_id = sessionCookie(request.cookies, request.secure) ?? '';
  return { visitor: { actor, session_id, local, source_address: request.source_address }, manifest };
}

export interface Entered {
  visits: FileVisits;
  visit: FileVisit;
  asker: Asker;
}

/** A visit, for the browser that it was opened in. @throws Problem 403, 404, 409 */
export async function enterVisit(
  services: Services,
  actor: Actor,
  request: RequestFacts,
  id: string,
): Promise<Entered> {
  await requireInForce(services, actor, request);
  const visits = visitsOf(services);
  const visit = await visits.enter(id, actor.credential_id, visitKeyIn(request.cookies, request.secure));
  return { visits, visit, asker: askerOf(actor, request) };
}

export const askerOf = (actor: Actor, { id, source_address }: RequestFacts): Asker => ({
  actor,
  request_id: id,
  source_address,
});

/** What may not change while it is open; null: the entry is gone. */
async function standing({ store }: Services, choice: string, remote: RemoteTarget): Promise<string | null> {
  try {
    const { revision } = await findSshCredential(store, choice);
    return `${revision} ${await confirmedHostKey(store, remote)}`;
  } catch (error) {
    if (error instanceof Problem && error.code === 'resource_not_found') return null;
    throw error;
  }
}

export interface OpenedVisit {
  visit: FileVisit;
  /** What its browser has to show from now on. */
  key: string;
}

/** Its refusals are in the audit log too. @throws Problem 403, 404, 409 */
export async function openVisit(
  services: Services,
  actor: Actor,
  request: RequestFacts,
  choice: string,
): Promise<OpenedVisit> {
  const { visitor, manifest } = await requireInForce(services, actor, request);
  const asked = await remoteOf(services.store, actor, choice);
  const visits = visitsOf(services);
  const what = whatOf(asked);
  // Whoever opens it again has lost the page, and not the wish for a second one.
  for (const each of visits.of(actor.credential_id))
    if (each.facts.place.what === what) each.end('replaced', askerOf(actor, request));
  const who = { at: instant(services.clock.now()), ...askerOf(actor, request) };
  let place: OpenTerminal | null = null;
  try {
    place = visits.takePlace(visitor, what, manifest);
    const before = await standing(services, choice, asked.remote);
    const holds = async () => before !== null && (await standing(services, choice, asked.remote)) === before;
    return await signedIn(services, { ...asked, who, visitor, manifest, place, holds });
  } catch (error) {
    if (place) visits.giveBack(place);
    const problem = error instanceof Problem ? error : null;
    const detail = { ...machineOf(asked), problem: problem?.code ?? 'unexpected_failure' };
    await record(services, who, { action: 'terminal.files.refuse', detail, outcome: 'failure' });
    throw error;
  }
}

interface SignIn {
  who: AuditContext;
  visitor: Visitor;
  account: string;
  remote: RemoteTarget;
  manifest: TerminalManifest;
  place: OpenTerminal;
  holds: () => Promise<boolean>;
}

async function signedIn(services: Services, asked: SignIn): Promise<OpenedVisit> {
  const { who, visitor, account, remote, manifest, place, holds } = asked;
  const server = serverText(remote);
  const signal = AbortSignal.timeout(LOGIN_MS);
  const client = await logIn(services, { who, remote, account, signal }).catch((error) => {
    throw error instanceof DOMException ? new Problem('remote_timeout', `${server} did not answer in time.`) : error;
  });
  const sftp = await Sftp.open(client, server);
  try {
    const home = await sftp.realPath('.');
    await record(services, who, { action: 'terminal.files.open', detail: machineOf(asked) });
    const terms = { idle_ms: manifest.idle_minutes * 60_000, total_ms: manifest.session_minutes * 60_000 };
    const id = newId('visit', services.entropy);
    const key = services.entropy.bytes(32).toString('base64url');
    const facts = { id, key: hashed(key), holds, place, visitor, account, remote, sftp, home, terms };
    return { visit: visitsOf(services).begin(facts), key };
  } catch (error) {
    sftp.end();
    throw error;
  }
}

const machineOf = ({ account, remote }: { account: string; remote: RemoteTarget }) => ({
  account,
  target: serverText(remote),
  entry_id: remote.entry_id,
});

async function record(
  { store, keys }: Services,
  who: AuditContext,
  { action, detail, outcome }: { action: string; detail: Record<string, unknown>; outcome?: 'failure' },
): Promise<void> {
  const event = {
    action,
    resource_type: 'terminal',
    resource_id: null,
    detail,
    outcome: outcome ?? 'success',
  } as const;
  // Also while an apply owns all mutations: it changes nothing of the appliance.
  await store.write((tx) => appendAudit(tx, keys, who, event, { holdsLock: true }));
}
