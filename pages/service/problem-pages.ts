// What the page of each problem kind says: why it happens, what to do, and one example of the document.

import { pagePath } from '../../shared/ground/page-paths.ts';
import {
  ERROR_CODES,
  type ErrorCode,
  Problem,
  type ProblemKind,
  type ProblemMembers,
} from '../../shared/ground/problems.ts';
import { type ProblemDocument, problemDocument } from '../../shared/kernel/operation/problem-document.ts';

export interface ProblemPage {
  cause: string;
  /** One step each. */
  fix: readonly string[];
  example: { instance: string; code: ErrorCode; detail: string; members?: ProblemMembers };
}

export const PROBLEM_PAGES: Readonly<Record<ProblemKind, ProblemPage>> = {
  'invalid-request': {
    cause: 'The request could not be read as HTTP and JSON, so nothing in it was looked at.',
    fix: [
      'Check that the body is valid JSON in UTF-8, and that the path is valid percent-encoding.',
      'Send If-Match exactly as it came in an ETag, quotes included; weak tags (W/) never match.',
      'Start a list again without its cursor: a cursor only fits the list that issued it.',
    ],
    example: { instance: '/api/v1/dns/zones', code: 'malformed_json', detail: 'The body is not valid JSON.' },
  },
  unauthenticated: {
    cause: 'The caller did not prove who they are: no token or session, or one that is unknown, expired or revoked.',
    fix: [
      'Send Authorization: Bearer <token> with an active token; the page API Tokens shows the state of each.',
      'Create a new token when the old one has expired or was revoked. A token also stops when its user is disabled.',
      'In a browser, sign in again: a session ends after 30 minutes without activity, and after 12 hours in any case.',
    ],
    example: {
      instance: '/api/v1/interfaces/physical',
      code: 'credentials_expired',
      detail: 'This token expired at 2026-03-01T00:00:00.000Z.',
    },
  },
  forbidden: {
    cause:
      'The caller is known, but the token or the role does not reach this far, or a browser form came from elsewhere.',
    fix: [
      'If `lacks` is token: use a token with the scope that `scope` names. A write scope includes the read of the same resource.',
      'If `lacks` is role: ask an administrator for a role that includes the scope. A token never reaches beyond its user’s current role.',
      'For a refused form, open its page again and send it from there.',
    ],
    example: {
      instance: '/api/v1/dns/records',
      code: 'insufficient_scope',
      detail: 'This token does not include write:dns.',
      members: { scope: 'write:dns', lacks: 'token', role: 'admin' },
    },
  },
  'not-found': {
    cause: 'Nothing answers at this path, or the resource was removed, or it is not visible to the caller.',
    fix: [
      'Compare the path with the API reference; ids are opaque and case-sensitive.',
      'List the collection to see what exists now.',
    ],
    example: { instance: '/api/v1/jobs/job_unknown', code: 'resource_not_found', detail: 'This job does not exist.' },
  },
  'method-not-allowed': {
    cause: 'The path exists, but not with this method.',
    fix: ['Use one of the methods that the header Allow of the answer names.'],
    example: {
      instance: '/api/v1/users',
      code: 'method_not_allowed',
      detail: 'DELETE is not allowed here.',
      members: { allow: ['GET', 'HEAD', 'POST'] },
    },
  },
  conflict: {
    cause:
      'The request is valid, but what is saved now forbids it: a name is taken, or something depends on the resource.',
    fix: [
      'Read blockers: each entry names what blocks the request, why, and the smallest edit that removes it.',
      'For plan_stale, review a new plan: units changed after the old one was made.',
      'For preview_stale, look at the fresh preview in preview and confirm that one.',
      'For addresses_exhausted, begin at a lower address or in a larger network.',
      'A finished job or an ended token cannot be stopped again; there is nothing left to do.',
    ],
    example: {
      instance: '/api/v1/interfaces/physical/ens224',
      code: 'dependents_refuse',
      detail: 'Saved services still need the address of ens224.',
      members: {
        blockers: [
          {
            subject: 'DHCP scope lab-30',
            reason: 'Its subnet 172.16.30.0/24 is served from this address.',
            page: pagePath('dhcp'),
            unblock: 'Disable the scope',
          },
        ],
      },
    },
  },
  'stale-revision': {
    cause: 'Somebody changed the resource after you read it, so that your change was based on something old.',
    fix: [
      'Read the resource again, apply your change to it, and send the new ETag as If-Match.',
      'A browser form comes back with what you typed and what is saved now: compare, then save again.',
    ],
    example: {
      instance: '/api/v1/dns/records/rec_4fj2kq7m9x3bd5wt',
      code: 'revision_stale',
      detail: 'The resource is at revision 4, which is not the one that the request was based on.',
    },
  },
  'payload-too-large': {
    cause:
      'The body is larger than this operation accepts: 64 KiB, or 4 KiB without a login, unless its description states another limit.',
    fix: ['Send a bulk import in several requests, each below the limit.'],
    example: {
      instance: '/api/v1/dns/records',
      code: 'body_too_large',
      detail: 'The body is larger than 65536 bytes.',
    },
  },
  'unsupported-media-type': {
    cause: 'The body was sent in a form that this operation does not read.',
    fix: ['Send JSON with the header Content-Type: application/json.'],
    example: {
      instance: '/api/v1/users',
      code: 'media_type_unsupported',
      detail: 'The body must be sent as application/json.',
    },
  },
  misdirected: {
    cause:
      'The host name in the request is none of the appliance’s own, or not the one that the TLS connection was opened for. The request could come from a foreign web page whose name was pointed here (DNS rebinding), or be meant for a service that shares the port, so it was refused.',
    fix: [
      'Use the appliance’s IP address, which always works, or its host name.',
      'Set GROUNDCREW_BASE_URL to the origin that people use, such as https://gc01.lab.example, and restart the service.',
      'Or give the appliance this name: in its TLS certificate, or as an address record in its own DNS. A proxy must pass on one of these names, and name the same server in TLS if it names one.',
    ],
    example: {
      instance: pagePath('sign-in'),
      code: 'host_unknown',
      detail:
        'gc.other.example is no name of this appliance. Use its IP address, or set GROUNDCREW_BASE_URL to this name.',
    },
  },
  validation: {
    cause: 'A parameter or a member of the body is missing, unknown, or outside of what it may be.',
    fix: [
      'Read errors: each pointer (RFC 6901) names a place in the body, ?name a query and {name} a path parameter.',
      'Leave unknown members and query parameters out; an explicit null is only accepted where the reference says so.',
      'Take a new Idempotency-Key for a request that differs from the one that the key was used for.',
    ],
    example: {
      instance: '/api/v1/interfaces/physical/ens224',
      code: 'request_validation_failed',
      detail: 'Expected an address with a prefix length, such as 192.0.2.1/24.',
      members: {
        errors: [{ pointer: '/ipv4_cidr', detail: 'Expected an address with a prefix length, such as 192.0.2.1/24.' }],
      },
    },
  },
  locked: {
    cause:
      'An apply, or another operation that must not be disturbed, owns this resource until it ends. Nothing was saved.',
    fix: [
      'Follow the job that owner names, and send the request again when it has ended.',
      'If `owner` has a page, a plan waits there for its confirmation: confirm it or roll it back first. `owner.window` says who opened the window, how many seconds are left, and the paths of both operations.',
      'What ends access is never locked: disabling or deleting a user, revoking a token, setting a password, signing out. A dry run is not locked either.',
      'A program waits for the seconds of Retry-After, then tries again.',
    ],
    example: {
      instance: '/api/v1/dns/records',
      code: 'mutation_locked',
      detail: 'An apply is running; changes are possible again when it ends.',
      members: { owner: { job_id: 'job_5tq9r2w8n4hc7xvd', since: '2026-03-14T09:42:13.000Z' } },
    },
  },
  'rate-limited': {
    cause: 'Too many attempts failed from this address in a short time. Nobody is locked out; attempts are slowed.',
    fix: [
      'Wait for the seconds of Retry-After.',
      'An admin can set a forgotten password anew on the appliance’s shell.',
    ],
    example: {
      instance: pagePath('sign-in'),
      code: 'too_many_attempts',
      detail: 'Too many failed sign-ins from 192.0.2.7. Try again in 8 s.',
    },
  },
  internal: {
    cause: 'The service failed in a way that it does not expect. Nothing of the request was saved.',
    fix: [
      'Find the request id in the service’s log; the failure is recorded there with its place in the program.',
      'Send the request again; when it fails again, report it with the request id.',
    ],
    example: {
      instance: '/api/v1/audit',
      code: 'unexpected_failure',
      detail: 'The server failed unexpectedly. Nothing was saved.',
    },
  },
  'storage-full': {
    cause: 'The disk of the appliance is full, so that nothing can be saved safely. What was saved before is intact.',
    fix: [
      'Make space on the file system of the data folder: staged downloads and old backups are the usual reason.',
      'Send the request again afterwards; the service needs no restart.',
    ],
    example: {
      instance: '/api/v1/dns/records',
      code: 'storage_full',
      detail: 'The appliance has no space left. Nothing was saved.',
    },
  },
};

/** The error codes of a kind with their sentences, in the order of the list. */
export function codesOf(kind: ProblemKind): { code: string; sentence: string }[] {
  return Object.entries(ERROR_CODES)
    .filter(([, [of]]) => of === kind)
    .map(([code, [, sentence]]) => ({ code, sentence }));
}

/** The example as a caller would receive it. */
export function exampleOf(kind: ProblemKind, base_url: string): ProblemDocument {
  const { instance, code, detail, members } = PROBLEM_PAGES[kind].example;
  const facts = { base_url, instance, request_id: 'req_7gk2m4x9qd3w8b5n' };
  return problemDocument(new Problem(code, detail, members), facts);
}
