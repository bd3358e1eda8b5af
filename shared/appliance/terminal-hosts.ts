// The host key of another machine that a terminal is to go to: looked at for somebody who compares it.
import { Problem } from '../ground/problems.ts';
import type { Actor } from '../kernel/access/actor.ts';
import { missingScope } from '../kernel/access/missing-scope.ts';
import type { Services } from '../kernel/operation/services.ts';
import { findSshCredential, type SshCredential } from '../platform/vaults/credentials.ts';
import { sshServerOf } from '../platform/vaults/uris.ts';
import { requireReach } from '../platform/vaults/use.ts';
import { confirmedHostKey } from '../services/web-terminal/host-keys.ts';

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

/** Slow work before a transaction. Nothing is sent to the machine. @throws Problem 403, 404, 409 */
export async function seeTerminalHost(services: Services, actor: Actor, choice: string): Promise<SeenHost> {
  if (actor.role !== 'admin') throw missingScope(actor, 'write:users', 'Only an administrator can open a terminal.');
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
