// A file of another machine as a download: read as the browser takes it, so that memory does not grow with the file. It is saved and
// never shown, and written to the audit log before its first byte. A download that is not whole ends with its connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../shared/ground/clock.ts';
import { pagePath } from '../shared/ground/page-paths.ts';
import { Problem } from '../shared/ground/problems.ts';
import { readCookies } from '../shared/kernel/operation/define-operation.ts';
import type { GatewayEvent } from '../shared/kernel/operation/event.ts';
import { sessionCookie } from '../shared/kernel/operation/middleware/authentication.ts';
import type { Services } from '../shared/kernel/operation/services.ts';
import { opensAt, readManifest } from '../shared/services/web-terminal/manifest.ts';
import { visitKeyIn } from '../shared/services/web-terminal/remote-files/key.ts';
import { FILES } from '../shared/services/web-terminal/remote-files/limits.ts';
import { attachment, requirePath, shownName } from '../shared/services/web-terminal/remote-files/names.ts';
import { readFile } from '../shared/services/web-terminal/remote-files/reading.ts';
import type { Asker, FileVisit } from '../shared/services/web-terminal/remote-files/visit.ts';
import { type FileVisits, visitsOf } from '../shared/services/web-terminal/remote-files/visits.ts';
import { mayOpen } from '../shared/services/web-terminal/session/may-open.ts';
import { LOOPBACK } from './listener-set.ts';
import { OVER_TLS, SECURITY_HEADERS } from './security-headers.ts';

const PATH = /^\/files\/(visit_[0-9a-z]{1,32})\/content$/;

/** Takes over a GET of a file. @throws Problem 401, 403, 404, 409, 422, 429: before the first byte */
export async function takeDownload(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
  event: GatewayEvent,
): Promise<boolean> {
  const terminal = pagePath('web-terminal');
  if (request.method !== 'GET' || !event.rawPath.startsWith(`${terminal}/`)) return false;
  const [, id] = PATH.exec(event.rawPath.slice(terminal.length)) ?? [];
  if (id === undefined) return false;
  const visits = visitsOf(services);
  const { visit, asker } = await admitted(services, event, visits, id);
  const path = requirePath(event.queryStringParameters.path ?? '');
  const control = new AbortController();
  const done = visit.begins(() => {
    control.abort();
    response.destroy();
  });
  response.once('close', () => control.abort());
  try {
    const { secure } = event.requestContext;
    await send({ visits, visit, asker, path, response, signal: control.signal, secure });
  } finally {
    done();
  }
  return true;
}

async function admitted(
  services: Services,
  event: GatewayEvent,
  visits: FileVisits,
  id: string,
): Promise<{ visit: FileVisit; asker: Asker }> {
  const { requestContext, cookies } = event;
  const { secure, http, connection } = requestContext;
  if (!secure && !LOOPBACK.includes(http.sourceIp))
    throw new Problem('foreign_origin', 'Files of another machine come over HTTPS alone.');
  const shown = readCookies(cookies);
  const session = sessionCookie(shown, secure);
  const actor = session === null ? null : await mayOpen(services, session);
  if (!actor) throw new Problem('session_required', 'Sign in as an administrator.');
  if (!opensAt(await readManifest(services.host), connection?.local_address ?? ''))
    throw new Problem('state_conflict', 'The web terminal is not in force at this address.');
  const visit = await visits.enter(id, actor.credential_id, visitKeyIn(shown, secure));
  services.lastUse.note('session', actor.credential_id!, services.clock.now(), http.sourceIp);
  const asker = { actor, request_id: newId('req', services.entropy), source_address: http.sourceIp };
  return { visit, asker };
}

interface Sending {
  visits: FileVisits;
  visit: FileVisit;
  asker: Asker;
  path: string;
  response: ServerResponse;
  signal: AbortSignal;
  secure: boolean;
}

async function send({ visits, visit, asker, path, response, signal, secure }: Sending): Promise<void> {
  const { sftp } = visit.facts;
  const facts = await sftp.facts(path, { follow: true });
  if (facts === null) throw new Problem('resource_not_found', `${sftp.server} has no such file.`);
  if (facts.kind !== 'file') throw new Problem('state_conflict', 'Only plain files can be downloaded.');
  if ((facts.bytes ?? 0) > FILES.download)
    throw new Problem('state_conflict', `A download has at most ${FILES.download / 2 ** 30} GiB.`);
  // Files that the kernel makes up say 0 and have content all the same.
  const said = facts.bytes === 0 ? null : facts.bytes;
  const handle = await sftp.openFile(path, 'r');
  try {
    const shown = shownName(path);
    await visits.audit(visit, { action: 'terminal.file.download', detail: { path: shown, bytes: facts.bytes } }, asker);
    signal.throwIfAborted();
    response.writeHead(200, {
      ...headersOf(path, secure),
      'x-request-id': asker.request_id,
      ...(said !== null && { 'content-length': said }),
    });
    const { sent, whole } = await pass(readFile(sftp, handle, said ?? FILES.download + 1), {
      visit,
      response,
      signal,
      said,
    });
    if (whole) {
      visit.counts.downloads += 1;
      response.end();
    } else response.destroy();
    const detail = { path: shown, bytes: sent, whole };
    visits.notes(visit, { action: 'terminal.file.downloaded', detail, outcome: whole ? 'success' : 'failure' }, asker);
  } finally {
    if (!visit.over) await sftp.close(handle).catch(() => undefined);
  }
}

const headersOf = (path: string, secure: boolean) => ({
  ...SECURITY_HEADERS,
  ...(secure && OVER_TLS),
  // Whatever a browser makes of it, it has no origin and loads nothing.
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/octet-stream',
  'content-disposition': attachment(path),
  'cache-control': 'no-store',
});

type Passing = Pick<Sending, 'visit' | 'response' | 'signal'> & { said: number | null };

/** Waits for whoever reads: the file's own questions wait with it. */
async function pass(
  file: AsyncIterable<Buffer>,
  { visit, response, signal, said }: Passing,
): Promise<{ sent: number; whole: boolean }> {
  let sent = 0;
  try {
    for await (const bytes of file) {
      if (signal.aborted) break;
      sent += bytes.length;
      visit.used();
      visit.counts.bytes_out += bytes.length;
      if (!response.write(bytes)) await drained(response, signal);
    }
    return { sent, whole: !signal.aborted && (said === null ? sent <= FILES.download : sent === said) };
  } catch {
    // The other machine failed in the middle: there is no other way to say so than to break off.
    return { sent, whole: false };
  }
}

function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      response.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.on('drain', done);
    signal.addEventListener('abort', done);
  });
}
