// A shell of another machine: by SSH, with a credential of a vault that is opened here for this connection alone and never reaches
// the browser. The machine has to show the host key that somebody confirmed; its address is held against the policy of remote
// machines, as for every other connection.
import { Problem } from '../shared/ground/problems.ts';
import type { AuditContext } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { useEntry } from '../shared/platform/vaults/use.ts';
import { confirmedHostKey } from '../shared/services/web-terminal/host-keys.ts';
import { type Shell, shellIn } from '../shared/services/web-terminal/session/shell.ts';
import type { RemoteTarget } from '../shared/services/web-terminal/session/tickets.ts';
import { serverText } from '../shared/vcf/connection/target.ts';

interface Asked {
  who: AuditContext;
  remote: RemoteTarget;
  /** User name that the ticket, the audit log and the recording have. */
  account: string;
  columns: number;
  rows: number;
  signal: AbortSignal;
}

/** @throws Problem 403, 404, 409: what a person may read; whatever aborted `signal` */
export async function openRemoteShell(services: Services, asked: Asked): Promise<Shell> {
  const { who, remote, account, signal, ...size } = asked;
  const { host, port, uri } = remote;
  const host_key_sha256 = await confirmedHostKey(services.store, remote);
  const target = serverText({ host, port });
  // Before the value is opened.
  if (host_key_sha256 === null) throw new Problem('trust_missing', `The host key of ${target} is not confirmed yet.`);
  const used = await useEntry(services, who, remote, 'web-terminal', { target });
  if (!used.uris.includes(uri)) throw new Problem('state_conflict', 'The address of this credential was changed.');
  if (used.username !== account)
    throw new Problem('state_conflict', 'The user name of this credential was changed. Open the terminal again.');
  const { openSsh } = await import('../shared/appliance/archive/schedule/places/ssh.ts');
  const place = { host, port, username: used.username, path: '', host_key_sha256 };
  const client = await openSsh(services, place, { kind: 'password', value: used.value }, signal);
  // A machine that lets in and then says nothing would be held on to for ever.
  const stop = () => client.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await shellIn(client, size);
  } catch {
    client.destroy();
    throw new Problem('remote_answer_unusable', `${target} accepted the login, but opened no shell.`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
