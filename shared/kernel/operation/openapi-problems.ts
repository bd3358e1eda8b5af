// What can go wrong, for the OpenAPI document: which codes an operation can answer, the ProblemDetails schema, and an
// example of each code made by the same function that makes the real documents.

import type { ExampleObject, HeaderObject, ReferenceObject, ResponseObject, SchemaObject } from 'openapi3-ts/oas31';
import { pagePath } from '../../ground/page-paths.ts';
import {
  ERROR_CODES,
  type ErrorCode,
  PROBLEM_KINDS,
  Problem,
  type ProblemKind,
  type ProblemMembers,
} from '../../ground/problems.ts';
import { ROLES, SCOPES } from '../access/scopes.ts';
import { UNIT_IDS } from '../generated/units.ts';
import { type AnySpec, saves, waitsForLock } from './operation.ts';
import { problemDocument } from './problem-document.ts';

interface Generic {
  codes: ErrorCode[];
  when(spec: AnySpec): boolean;
}

const mutates = (spec: AnySpec) => spec.effect !== 'read';
const isForAnyToken = ({ access }: AnySpec) =>
  typeof access === 'object' && 'scope' in access && access.scope === 'any';
const posts = (spec: AnySpec) => spec.method === 'POST';

/** Codes that follow from an operation's access and effect; the others it declares itself. */
const GENERIC: readonly Generic[] = [
  { codes: ['malformed_request', 'unexpected_failure'], when: () => true },
  {
    codes: ['credentials_missing', 'credentials_invalid', 'credentials_expired', 'credentials_revoked'],
    when: (spec) => spec.access !== 'public',
  },
  { codes: ['insufficient_scope'], when: (spec) => spec.access !== 'public' && !isForAnyToken(spec) },
  { codes: ['too_many_attempts'], when: (spec) => spec.form?.confirms !== undefined },
  // A parameter, a body, or a query that is none of the operation's.
  { codes: ['request_validation_failed'], when: () => true },
  { codes: ['malformed_json', 'media_type_unsupported'], when: (spec) => spec.body !== undefined },
  { codes: ['media_type_unsupported'], when: (spec) => spec.binary === true },
  { codes: ['body_too_large', 'storage_full', 'malformed_precondition'], when: mutates },
  // The conflict is a request with the same Idempotency-Key that is being answered at this moment.
  { codes: ['idempotency_key_reused', 'state_conflict'], when: posts },
  // What waits for no lock is refused for the moment in which a restore is saved.
  { codes: ['mutation_locked'], when: (spec) => waitsForLock(spec) || saves(spec) },
];

/** Every code that an operation can answer, in the order of the closed list. */
export function problemsOf(spec: AnySpec): ErrorCode[] {
  const possible = new Set<ErrorCode>(spec.problems);
  for (const { codes, when } of GENERIC) if (when(spec)) for (const code of codes) possible.add(code);
  return (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => possible.has(code));
}

/** The refusals of one operation: status → codes, by status. */
export function problemStatuses(spec: AnySpec): Map<number, ErrorCode[]> {
  const statuses = new Map<number, ErrorCode[]>();
  for (const code of problemsOf(spec)) {
    const { status } = PROBLEM_KINDS[ERROR_CODES[code][0]];
    statuses.set(status, [...(statuses.get(status) ?? []), code]);
  }
  return new Map([...statuses].sort(([a], [b]) => a - b));
}

/** Headers that answers of a status carry beside X-Request-ID. */
const PROBLEM_HEADERS: Partial<Record<ProblemKind, string[]>> = {
  unauthenticated: ['WWW-Authenticate'],
  forbidden: ['WWW-Authenticate'],
  'stale-revision': ['ETag'],
  locked: ['Retry-After'],
  'rate-limited': ['Retry-After'],
  'storage-full': ['Retry-After'],
};

export function problemResponse(codes: readonly ErrorCode[]): ResponseObject {
  const [kind] = ERROR_CODES[codes[0]!];
  const names = ['X-Request-ID', ...(PROBLEM_HEADERS[kind] ?? [])];
  return {
    description: `${PROBLEM_KINDS[kind].title}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/ProblemDetails' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/**
 * Refusals that operations share: for each kind the set of codes that most of them have, named after the kind. The
 * others are written out at their operation.
 */
export function sharedResponses(specs: readonly AnySpec[]): Map<string, readonly ErrorCode[]> {
  const uses = new Map<string, number>();
  for (const spec of specs) {
    for (const codes of problemStatuses(spec).values()) uses.set(codes.join(' '), (uses.get(codes.join(' ')) ?? 0) + 1);
  }
  const shared = new Map<string, readonly ErrorCode[]>();
  for (const [joined, count] of [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
    const codes = joined.split(' ') as ErrorCode[];
    const name = kindName(codes);
    if (count > 1 && !shared.has(name)) shared.set(name, codes);
  }
  return new Map([...shared].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `StaleRevision`: the kind of these codes as the name of a shared response. */
export function kindName(codes: readonly ErrorCode[]): string {
  return ERROR_CODES[codes[0]!][0].replaceAll(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

const MEMBERS: Partial<Record<ErrorCode, ProblemMembers>> = {
  request_validation_failed: {
    errors: [{ pointer: '/ipv4_cidr', detail: 'Expected an IPv4 address with a prefix length.' }],
  },
  insufficient_scope: { scope: 'write:dns', lacks: 'token', role: 'admin' },
  scope_beyond_role: { scope: 'write:interfaces' },
  mutation_locked: { owner: { job_id: 'job_h7k2m9p4q6r8s3t5', since: '2026-03-02T09:41:07.512Z' } },
  plan_stale: { units: ['network', 'dns-dhcp'] },
  drift_unconfirmed: { units: ['ntp'] },
  host_refused: { failed: { file: '/etc/systemd/network/20-ens224.network' } },
  preview_stale: { preview: {} },
  addresses_exhausted: {
    errors: [{ pointer: '/start_ipv4_cidr', detail: '9 free addresses, and 17 names need one: 8 are lacking.' }],
  },
  dependents_refuse: {
    blockers: [
      {
        subject: 'DHCP scope lab-mgmt',
        reason: 'Its range 10.10.0.100–10.10.0.199 lies in the network that the edit removes.',
        page: pagePath('interface', 'ens224'),
        unblock: 'Disable the scope or move its range first.',
      },
    ],
  },
};

/** One example for each code, by code. */
export function problemExamples(base_url: string, codes: readonly ErrorCode[]): Record<string, ExampleObject> {
  const facts = {
    base_url: base_url || 'https://gc01.lab.test',
    instance: '/api/v1/…',
    request_id: 'req_4h7k2m9p6q8r3s5t',
  };
  return Object.fromEntries(
    codes.map((code) => {
      const sentence = ERROR_CODES[code][1];
      return [code, { summary: sentence, value: problemDocument(new Problem(code, sentence, MEMBERS[code]), facts) }];
    }),
  );
}

const text = (description: string, words?: readonly string[]): SchemaObject => ({
  type: 'string',
  ...(words && { enum: [...words] }),
  description,
});
const listOfObjects = (description: string, properties: Record<string, SchemaObject>): SchemaObject => ({
  type: 'array',
  description,
  items: { type: 'object', required: Object.keys(properties), properties },
});

export const PROBLEM_SCHEMA: SchemaObject = {
  type: 'object',
  description: 'A problem document (RFC 9457). It never repeats a value that was sent.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'error_code', 'request_id'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'A page that says what the kind of problem means and what to do.',
    },
    title: text('The kind in a few words; the same for every problem of the kind.'),
    status: { type: 'integer', minimum: 400, maximum: 599, description: 'Status of the answer.' },
    detail: text('What happened this time, for people.'),
    instance: text('Path of the request.'),
    error_code: {
      type: 'string',
      pattern: '^[a-z][a-z_]*$',
      description: 'For programs: one of the codes that the operation lists. More may be added.',
    },
    request_id: text('The X-Request-ID of the answer; it leads to the log and the audit events.'),
    errors: listOfObjects('Which values are not valid.', {
      pointer: text(
        'JSON pointer (RFC 6901) into the body, `?name` for a query parameter, `{name}` for a path parameter.',
      ),
      detail: text('What is wrong with the value.'),
    }),
    blockers: listOfObjects('What refuses the change, and the smallest edit that would unblock it.', {
      subject: text('What refuses.'),
      reason: text('Why.'),
      page: text('Page of the subject in the management UI.'),
      unblock: text('The way out.'),
    }),
    units: {
      type: 'array',
      items: { type: 'string', enum: [...UNIT_IDS] },
      description: 'Units that changed after the plan was made, whose check failed, or that were changed on the host.',
    },
    failed: {
      type: 'object',
      description: 'Where an apply failed.',
      properties: {
        unit: text('The unit that failed.', UNIT_IDS),
        step: text('The step that the unit was at, such as `check` or `swap`. More may be added.'),
        file: text('The file that the system refused, as its path on the appliance.'),
      },
    },
    preview: {
      type: 'object',
      description: 'What would be done now, in the form of the operation’s preview.',
    },
    owner: {
      type: 'object',
      description: 'What owns what the request wanted to change: a job, or a restore, which is over within seconds.',
      required: ['job_id', 'since'],
      properties: {
        job_id: text('Id of the job; of a restore one that begins with held_, which leads nowhere.'),
        since: { type: 'string', format: 'date-time', description: 'When it took the lock: RFC 3339 in UTC.' },
        page: text('Page of the plan in the management UI; there when it waits to be confirmed or rolled back.'),
        window: {
          type: 'object',
          description:
            'The confirm window that it waits in; present with `page`. Retry-After is the time that is left.',
          required: ['plan_id', 'opened_by', 'seconds_left', 'confirm', 'put_back'],
          properties: {
            plan_id: text('Id of the plan.'),
            opened_by: text('Who submitted the plan.'),
            seconds_left: { type: 'integer', minimum: 0, description: 'Seconds until it goes back.' },
            confirm: text('Path of the operation that confirms the plan, with its nonce.'),
            put_back: text('Path of the operation that rolls it back.'),
          },
        },
      },
    },
    scope: text('The scope that is missing.', SCOPES),
    lacks: text(
      'What lacks the scope: `token` when the token does not list it, `role` when the role of its user does not include it.',
      ['token', 'role'],
    ),
    role: text('Role of the caller.', ROLES),
  },
};

const header = (description: string, schema: SchemaObject | ReferenceObject = { type: 'string' }): HeaderObject => ({
  description,
  schema,
});

export const HEADERS: Record<string, HeaderObject> = {
  'X-Request-ID': header('The caller’s X-Request-ID when it is 1 to 64 of `A-Z a-z 0-9 . _ -`, else a new one.'),
  ETag: header('Strong entity tag of the resource: its revision, such as `"r17"`. If-Match takes it.'),
  Location: header('Path of the new resource.'),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': header('What is wrong with the credentials (RFC 6750).'),
  'Idempotency-Replayed': header(
    '`true` when this is the stored answer to an earlier request with the same Idempotency-Key.',
  ),
};
