// From an error to an RFC 9457 problem document: the one place where domain refusals become HTTP.

import { ERROR_CODES, PROBLEM_KINDS, Problem } from '../../ground/problems.ts';
import type { Connection, GatewayAnswer, GatewayEvent } from './event.ts';
import type { Services } from './services.ts';

export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  error_code: string;
  request_id: string;
  [extension: string]: unknown;
}

/** Any error as a Problem; an unexpected one becomes a blank 500 so that nothing of it reaches the caller. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('unexpected_failure', 'The server failed unexpectedly. Nothing was saved.');
}

/**
 * The path, cut to a length that a document can carry; never the query. A path below `/boot/` may contain a secret that
 * lets a machine boot, so only the part up to `/boot/` is repeated.
 */
export function instanceOf({ rawPath }: GatewayEvent): string {
  const [boot] = /^.*?\/boot\//i.exec(rawPath) ?? [];
  return (boot ?? rawPath).slice(0, 256);
}

export function problemDocument(
  problem: Problem,
  facts: { base_url: string; instance: string; request_id: string },
): ProblemDocument {
  const [kind] = ERROR_CODES[problem.code];
  const { title, status } = PROBLEM_KINDS[kind];
  const { errors, blockers, units, failed, preview, owner, scope, lacks, role } = problem.members;
  return {
    type: `${facts.base_url}/problems/${kind}`,
    title,
    status,
    detail: problem.message,
    instance: facts.instance,
    error_code: problem.code,
    request_id: facts.request_id,
    ...(errors && { errors }),
    ...(blockers && { blockers }),
    ...(units && { units }),
    ...(failed && { failed }),
    ...(preview && { preview }),
    ...(owner && { owner }),
    ...(scope && { scope }),
    ...(lacks && { lacks }),
    ...(role && { role }),
  };
}

/** Headers that HTTP requires with the document. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const { retry_after, etag, allow, scope, close } = problem.members;
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(retry_after !== undefined && { 'retry-after': String(retry_after) }),
    ...(etag && { etag }),
    ...(allow && { allow: allow.join(', ') }),
    ...(close && { connection: 'close' }),
    ...(problem.status === 401 && { 'www-authenticate': challenge(problem.code) }),
    ...(scope &&
      problem.status === 403 && {
        'www-authenticate': `Bearer realm="groundcrew", error="insufficient_scope", scope="${scope}"`,
      }),
  };
}

function challenge(code: string): string {
  const given = code !== 'credentials_missing' && code !== 'session_required' && code !== 'sign_in_failed';
  return given ? 'Bearer realm="groundcrew", error="invalid_token"' : 'Bearer realm="groundcrew"';
}

interface Asked {
  headers: Record<string, string>;
  secure: boolean;
  connection?: Connection | null;
}

/**
 * The origin of problem types: the configured one, else the one that the caller used, else the address of the connection.
 * Never empty: a type is a whole URL (RFC 9457, 3.1.1).
 */
export function originOf({ settings }: Pick<Services, 'settings'>, { headers, secure, connection }: Asked): string {
  if (settings.base_url) return settings.base_url;
  const { host = '' } = headers;
  const authority = /^[A-Za-z0-9.:[\]-]{1,255}$/.test(host) ? host : (localAuthority(connection) ?? settings.hostname);
  return `${secure ? 'https' : 'http'}://${authority || 'localhost'}`;
}

/** Local address and port of the connection; null when unknown. */
function localAuthority(connection: Connection | null | undefined): string | null {
  const { local_address: address = '', local_port } = connection ?? {};
  if (address === '') return null;
  return `${address.includes(':') ? `[${address}]` : address}${local_port === undefined ? '' : `:${local_port}`}`;
}

export function baseUrl(services: Services, { headers, requestContext }: GatewayEvent): string {
  const { secure, connection = null } = requestContext;
  return originOf(services, { headers, secure, connection });
}

export function problemAnswer(
  problem: Problem,
  services: Services,
  event: GatewayEvent,
  request_id: string,
): GatewayAnswer {
  const document = problemDocument(problem, {
    base_url: baseUrl(services, event),
    instance: instanceOf(event),
    request_id,
  });
  return { statusCode: problem.status, headers: problemHeaders(problem), body: JSON.stringify(document) };
}
