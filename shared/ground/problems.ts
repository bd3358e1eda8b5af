// The closed list of what can go wrong: kinds (one page each below /problems) and error codes (one sentence each).
// A domain function throws a Problem; it becomes an HTTP answer in one place, problem-details.ts.

export const PROBLEM_KINDS = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Not permitted' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'stale-revision': { status: 412, title: 'The resource has changed' },
  'payload-too-large': { status: 413, title: 'Payload too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  misdirected: { status: 421, title: 'Misdirected request' },
  validation: { status: 422, title: 'Request validation failed' },
  locked: { status: 423, title: 'Locked by another operation' },
  'rate-limited': { status: 429, title: 'Too many attempts' },
  internal: { status: 500, title: 'Internal error' },
  'storage-full': { status: 507, title: 'Storage is full' },
} as const;
export type ProblemKind = keyof typeof PROBLEM_KINDS;

/** error_code → its kind and the one sentence that explains it. */
export const ERROR_CODES = {
  malformed_request: ['invalid-request', 'The request could not be read: a malformed URL, header or body framing.'],
  malformed_json: ['invalid-request', 'The body is not valid JSON.'],
  malformed_precondition: ['invalid-request', 'If-Match is neither a list of entity tags nor *.'],
  invalid_cursor: ['invalid-request', 'The cursor was not issued by this list.'],
  csrf_failed: ['forbidden', 'The form was not sent by a page of this session; reload it and send it again.'],
  foreign_origin: ['forbidden', 'A browser sent this request from a page of another origin.'],
  credentials_missing: ['unauthenticated', 'No bearer token was sent.'],
  credentials_invalid: ['unauthenticated', 'The bearer token is not known.'],
  credentials_expired: ['unauthenticated', 'The bearer token has expired.'],
  credentials_revoked: ['unauthenticated', 'The bearer token was revoked or its user was disabled.'],
  session_required: ['unauthenticated', 'This page needs a signed-in session.'],
  sign_in_failed: ['unauthenticated', 'The user name or the password is wrong.'],
  external_sign_in_refused: ['forbidden', 'What the external provider answered was not accepted; the answer says why.'],
  insufficient_scope: ['forbidden', 'The token or the role does not include the scope that this operation needs.'],
  scope_beyond_role: ['forbidden', 'A token cannot get scopes beyond those of its creator.'],
  resource_not_found: ['not-found', 'The resource does not exist or is not visible to the caller.'],
  route_not_found: ['not-found', 'No operation answers at this path.'],
  method_not_allowed: ['method-not-allowed', 'The path exists, but not with this method.'],
  already_exists: ['conflict', 'This name or address is already in use.'],
  still_referenced: ['conflict', 'Other resources depend on this one; they are named in the answer.'],
  state_conflict: ['conflict', 'The current state does not permit this transition.'],
  dependents_refuse: ['conflict', 'Saved services still need the address; every blocker is named in the answer.'],
  no_management_listener: ['conflict', 'The edit would leave no effective management UI listener.'],
  boot_code_refused: ['conflict', 'No boot attempt of this host waits for this code, or its time is over.'],
  host_drifted: ['conflict', 'The saved host differs from the applied one; every difference is named in the answer.'],
  applied_state_unavailable: ['conflict', 'Network boot was not applied with this host; apply it first.'],
  host_refused: ['conflict', 'The host refused a step; the answer names the unit, the file and what the system said.'],
  drift_unconfirmed: ['conflict', 'The host was changed by hand; name the units to overwrite, or plan without them.'],
  plan_stale: ['conflict', 'Units changed after the plan was made; review a new plan.'],
  window_closed: [
    'conflict',
    'The confirm window of this plan is not open: it was confirmed, rolled back, or never opened.',
  ],
  wrong_nonce: ['conflict', 'The nonce does not belong to this plan; read the plan again.'],
  wrong_path: ['conflict', 'The confirmation did not arrive over a connection that uses the new configuration.'],
  not_confirmed: ['conflict', 'Nobody confirmed the plan within its window; the previous configuration was restored.'],
  preview_stale: ['conflict', 'The free addresses have changed since your preview; look at the fresh one.'],
  addresses_exhausted: ['conflict', 'The network has too few free addresses for all missing names; none was created.'],
  job_finished: ['conflict', 'The job has already ended.'],
  vault_value_unreadable: [
    'conflict',
    'The stored value can’t be opened: it was damaged or moved, or its key is missing.',
  ],
  vault_keys_unusable: [
    'conflict',
    'The file with the keys of the vaults is missing, damaged, or not the service’s alone; the answer names it.',
  ],
  target_refused: [
    'conflict',
    'No connection is made to this address: loopback, link-local, metadata, the appliance itself and the like.',
  ],
  remote_name_unknown: ['conflict', 'The name of the remote machine does not resolve.'],
  remote_unreachable: ['conflict', 'The remote machine refused or ended the connection, or there is no way to it.'],
  remote_timeout: ['conflict', 'The remote machine did not answer in time.'],
  remote_not_tls: ['conflict', 'The remote machine does not speak TLS at this port.'],
  remote_tls_too_old: ['conflict', 'The remote machine offers nothing as strong as TLS 1.2 with its usual ciphers.'],
  remote_answer_unusable: [
    'conflict',
    'The remote machine’s answer is not HTTP, does not fit its API, or is too large.',
  ],
  certificate_changed: ['conflict', 'The remote machine presents a certificate that was not confirmed.'],
  host_key_changed: ['conflict', 'The remote machine shows an SSH host key that was not confirmed.'],
  copies_unverified: ['conflict', 'Not every target has a verified copy of the archive; the job says which has none.'],
  trust_missing: [
    'conflict',
    'The certificate of the remote machine is not confirmed, or its confirmation has expired; see the TLS step.',
  ],
  remote_login_refused: ['conflict', 'The remote machine does not accept the user name and password.'],
  remote_not_ready: ['conflict', 'The remote machine can’t answer now: it is starting, or one of its services failed.'],
  remote_unsupported: ['conflict', 'This operation does not support the kind or release of the remote machine.'],
  remote_refused: ['conflict', 'The remote machine refused the request; its own message is in the answer.'],
  remote_credential_gone: [
    'conflict',
    'The typed password was kept in memory only and is no longer there; enter it again to go on.',
  ],
  log_unreadable: ['conflict', 'The journal of the machine could not be read; the answer says why.'],
  ova_refused: ['conflict', 'The OVA is damaged, unsafe or not one that can be deployed; the answer names the fault.'],
  certificate_authority_missing: [
    'conflict',
    'The certificate authority of the appliance has no root certificate yet.',
  ],
  depot_unavailable: [
    'conflict',
    'The offline depot is not ready to serve other appliances; the answer names each condition that is missing.',
  ],
  depot_file_exists: ['conflict', 'The depot already has a file of this name; state whether to replace it.'],
  depot_replacement_unconfirmed: [
    'conflict',
    'The appliance takes its software from another depot; confirm that it is to be replaced.',
  ],
  preflight_refused: ['conflict', 'A check before the deployment failed; nothing was queued. See blockers.'],
  vm_name_taken: ['conflict', 'The data center already has a virtual machine of this name.'],
  revision_stale: ['stale-revision', 'The resource changed since the revision that the request was based on.'],
  body_too_large: ['payload-too-large', 'The body is larger than this operation accepts.'],
  media_type_unsupported: ['unsupported-media-type', 'The body must be sent as the media type of the operation.'],
  host_unknown: ['misdirected', 'The Host header is none of the appliance’s own names; its IP address always works.'],
  request_validation_failed: ['validation', 'A parameter or a member of the body is not valid; see errors.'],
  idempotency_key_reused: ['validation', 'The Idempotency-Key was used before with another request.'],
  mutation_locked: ['locked', 'Another operation owns the resource; try again when it ends.'],
  too_many_attempts: ['rate-limited', 'Too many attempts or failures in a short time; wait and retry.'],
  unexpected_failure: ['internal', 'The server failed unexpectedly; see the service log under this request id.'],
  storage_full: ['storage-full', 'The appliance has no space left; nothing was saved.'],
} as const satisfies Record<string, readonly [ProblemKind, string]>;
export type ErrorCode = keyof typeof ERROR_CODES;

/** One fault of a parameter or body member. `pointer` is an RFC 6901 JSON pointer into the body, or `?name`/`{name}`. */
export interface FieldError {
  pointer: string;
  detail: string;
}

/** A reason why a transition is refused, with the way out of it. */
export interface Blocker {
  /** What refuses: `DNS record vc01.lab.test`. */
  subject: string;
  reason: string;
  /** Path of the page of the subject. */
  page: string;
  /** The smallest edit that would unblock, in words. */
  unblock: string;
}

/** A confirm window that keeps all mutations waiting, and the paths of the two operations that end it. */
export interface WaitingWindow {
  plan_id: string;
  /** Who submitted the plan. */
  opened_by: string;
  seconds_left: number;
  confirm: string;
  put_back: string;
}

/** Where an apply failed. */
export interface FailedAt {
  /** Id of the unit. */
  unit?: string;
  step?: string;
  /** Path on the appliance. */
  file?: string;
}

export interface ProblemMembers {
  errors?: FieldError[];
  blockers?: Blocker[];
  /** Units that changed after a plan was made. */
  units?: string[];
  failed?: FailedAt;
  /** What would be done now, for a confirmed preview that no longer holds. */
  preview?: object;
  /** The job that holds the mutation lock, and since when; the page and the window, when it waits for a confirmation. */
  owner?: { job_id: string; since: string; page?: string; window?: WaitingWindow };
  /** Seconds for the Retry-After header. */
  retry_after?: number;
  /** The current entity tag, for a stale revision. */
  etag?: string;
  /** Methods for the Allow header. */
  allow?: string[];
  /** The missing scope; whether the token lacks it or the role of its user; and that role. */
  scope?: string;
  lacks?: 'token' | 'role';
  role?: string;
  /** The connection ends with the answer: the next request has to come over a new one. */
  close?: true;
}

/** A refusal. `detail` is for people and never carries a submitted value that could be a secret. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly members: ProblemMembers;

  constructor(code: ErrorCode, detail: string, members: ProblemMembers = {}) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.members = members;
  }

  get kind(): ProblemKind {
    return ERROR_CODES[this.code][0];
  }

  get status(): number {
    return PROBLEM_KINDS[this.kind].status;
  }
}

/** Faults of one request that are looked for at most. */
export const ERRORS_MOST = 100;

/** 422 with one or more field errors. */
export function invalid(...errors: FieldError[]): Problem {
  const first = errors[0];
  const detail = errors.length === 1 && first ? first.detail : `${errors.length} values need correction.`;
  return new Problem('request_validation_failed', detail, { errors });
}

export function notFound(what: string): Problem {
  return new Problem('resource_not_found', `${what} does not exist.`);
}
