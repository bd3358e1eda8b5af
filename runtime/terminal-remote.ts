// A shell of another machine: by SSH, with a credential of a vault that is opened here for this connection alone and never reaches
// the browser.
import { logIn } from '../shared/appliance/terminal-hosts.ts';
import { Problem } from '../shared/ground/problems.ts';
import type { AuditContext } from '../shared/kernel/audit/audit.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
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
  const { remote, signal, columns, rows } = asked;
  const client = await logIn(services, asked);
  // A machine that lets in and then says nothing would be held on to for ever.
  const stop = () => client.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await shellIn(client, { columns, rows });
  } catch {
    client.destroy();
    const target = serverText(remote);
    throw new Problem('remote_answer_unusable', `${target} accepted the login, but opened no shell.`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
