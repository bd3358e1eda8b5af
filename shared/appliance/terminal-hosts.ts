// The other machine that a terminal, or a visit to its files, is to go to: its host key is looked at for somebody who compares it,
// and the login there uses a vault's value that is opened for that connection alone.
import type { Client } from 'ssh2';
import { Problem } from '../ground/problems.ts';
import type { Database } from '../ground/store/database.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { missingScope } from '../kernel/access/missing-scope.ts';
import type { AuditContext } from '../kernel/audit/audit.ts';
import type { Services } from '../kernel/operation/services.ts';
import { findSshCredential, type SshCredential } from '../platform/vaults/credentials.ts';
import { sshServerOf } from '../platform/vaults/uris.ts';
import { requireReach, useEntry } from '../platform/vaults/use.ts';
import { confirmedHostKey } from '../services/web-terminal/host-keys.ts';
import type { RemoteTarget } from '../services/web-terminal/session/tickets.ts';
import { serverText } from '../vcf/connection/target.ts';

const LOOK_MS = 45_000;

export interface SeenHost {
  credential: SshCredential;
  host: string;
  port: number;
  /** What it shows now. */
  sha256: string;
  algorithm: string;
  /** What somebody confirmed; null: nothing yet. */
  confirmed: string | null;
}

/** The right to what administrators alone may write stands for the role. @throws Problem 403 */
export function requireTerminalAdmin(actor: Actor): void {
  if (actor.role !== 'admin') throw missingScope(actor, 'write:users', 'Only an administrator can open a terminal.');
}

/** What was chosen, as it is now. @throws Problem 403, 404 */
export async function remoteOf(
  db: Database,
  actor: Actor,
  choice: string,
): Promise<{ account: string; remote: RemoteTarget }> {
  requireReach(actor);
  const { vault_id, entry_id, username, uri } = await findSshCredential(db, choice);
  return { account: username, remote: { vault_id, entry_id, uri, ...sshServerOf(uri) } };
}

interface LogIn {
  who: AuditContext;
  remote: RemoteTarget;
  /** User name that was shown when it was asked for. */
  account: string;
  signal: AbortSignal;
}

/**
 * A connection that is signed in; destroy it. The machine has to show the host key that somebody confirmed, and its address is held
 * against the policy of remote machines, as for every other connection.
 * @throws Problem 403, 404, 409: what a person may read; whatever aborted `signal`
 */
export async function logIn(services: Services, { who, remote, account, signal }: LogIn): Promise<Client> {
  const { host, port, uri } = remote;
  const host_key_sha256 = await confirmedHostKey(services.store, remote);
  const target = serverText({ host, port });
  // Before the value is opened.
  if (host_key_sha256 === null) throw new Problem('trust_missing', `The host key of ${target} is not confirmed yet.`);
  const used = await useEntry(services, who, remote, 'web-terminal', { target });
  if (!used.uris.includes(uri)) throw new Problem('state_conflict', 'The address of this credential was changed.');
  if (used.username !== account)
    throw new Problem('state_conflict', 'The user name of this credential was changed. Open the terminal again.');
  const { openSsh } = await import('./archive/schedule/places/ssh.ts');
  const place = { host, port, username: used.username, path: '', host_key_sha256 };
  return openSsh(services, place, { kind: 'password', value: used.value }, signal);
}

/** Slow work before a transaction. Nothing is sent to the machine. @throws Problem 403, 404, 409 */
export async function seeTerminalHost(services: Services, actor: Actor, choice: string): Promise<SeenHost> {
  requireTerminalAdmin(actor);
  requireReach(actor);
  const credential = await findSshCredential(services.store, choice);
  const { host, port } = sshServerOf(credential.uri);
  const confirmed = await confirmedHostKey(services.store, { host, port });
  const { observeHostKey } = await import('./archive/schedule/places/ssh.ts');
  const place = { host, port, username: credential.username, path: '', host_key_sha256: confirmed };
  const signal = AbortSignal.timeout(LOOK_MS);
  const shown = await observeHostKey(services, place, signal).catch((error) => {
    throw error instanceof DOMException
      ? new Problem('remote_timeout', `The machine did not answer within ${LOOK_MS / 1000} seconds.`)
      : error;
  });
  return { credential, host, port, ...shown, confirmed };
}
