// The operator's trust in one certificate of one machine, as a signed ticket that the browser sends with each step. The
// step that confirms the fingerprint makes it, always with the audit event. It has user, session and expiry, and no
// secret.
import * as v from 'valibot';
import { AHEAD_MOST, type Clock, instant, later } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { equalInConstantTime, type Keys } from '../../ground/sealing/keys.ts';
import { FINGERPRINT } from '../../ground/x509/certificate.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import { certificateChanged } from './faults.ts';
import type { Peer } from './pinned-agent.ts';
import { serverText, type Target } from './target.ts';

export const TRUST_SECONDS = 30 * 60;

const PREFIX = 'trust1';
const LONGEST = 2048;

/** The confirmed machine and certificate, for a pinned client. */
export type TrustedTarget = Peer;

interface Shell {
  keys: Keys;
  clock: Clock;
}

const payloadSchema = v.strictObject({
  user_id: v.string(),
  /** Hashed session id, or the id of the token. */
  credential_id: v.string(),
  host: v.string(),
  port: v.number(),
  address: v.string(),
  sha256: v.pipe(v.string(), v.regex(FINGERPRINT)),
  expires_at: v.string(),
});
type Payload = v.InferOutput<typeof payloadSchema>;

/** A machine at the confirm step: looked at again, since the browser's data is not trusted. */
export interface SeenTarget extends Target {
  address: string;
  certificate: { sha256: string; subject: string };
}

/**
 * The ticket for what the operator confirmed, and its audit event in the caller's transaction.
 * `confirmed` is the fingerprint that the operator saw; `seen` is what the machine shows now.
 * @throws Problem 409 `certificate_changed` when they differ
 */
export function grantTrust(
  { keys, clock }: Shell,
  actor: Actor,
  audit: (event: AuditEvent) => void,
  seen: SeenTarget,
  confirmed: string,
): string {
  const { host, port, address, certificate } = seen;
  const { sha256, subject } = certificate;
  if (confirmed.trim().toUpperCase() !== sha256) throw certificateChanged(seen, shortened(confirmed), sha256);
  if (actor.user_id === null || actor.credential_id === null) throw new Error('Only somebody signed in can trust.');
  const { user_id, credential_id } = actor;
  const expires_at = instant(later(clock.now(), TRUST_SECONDS));
  const payload: Payload = { user_id, credential_id, host, port, address, sha256, expires_at };
  audit({
    action: 'remote.target.trust',
    resource_type: 'remote_target',
    resource_id: null,
    detail: { server: serverText(seen), address, sha256, subject, expires_at },
  });
  const body = `${PREFIX}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
  return `${body}.${signature(keys, body)}`;
}

/**
 * The trust of a ticket. `target`: the machine that this step names itself, if it does.
 * @throws Problem 409 `trust_missing`: none, forged, expired, of another user, session or machine
 */
export function requireTrust(
  shell: Shell,
  actor: Actor,
  ticket: string | null | undefined,
  target?: Target,
): TrustedTarget {
  const payload = read(shell.keys, ticket ?? '');
  if (!payload) throw missing('The certificate of the machine was not confirmed yet.');
  const { host, port, address, sha256 } = payload;
  const own = actor.user_id === payload.user_id && actor.credential_id === payload.credential_id;
  if (!own) throw missing('The certificate was confirmed by somebody else, or before you signed in again.');
  const now = shell.clock.now();
  // One that ends later than any was given before the clock was set back.
  if (payload.expires_at <= instant(now) || payload.expires_at > instant(later(now, TRUST_SECONDS + AHEAD_MOST)))
    throw missing(
      `The certificate of ${serverText(payload)} was confirmed more than 30 minutes ago, or before the clock was set.`,
    );
  if (target && (target.host !== host || target.port !== port))
    throw missing(`The certificate that was confirmed is that of ${serverText(payload)}, not of this machine.`);
  return { host, port, address, sha256 };
}

function missing(why: string): Problem {
  return new Problem('trust_missing', `${why} Go back to the TLS step and compare the fingerprint.`);
}

function read(keys: Keys, ticket: string): Payload | null {
  if (ticket.length > LONGEST) return null;
  const cut = ticket.lastIndexOf('.');
  const body = ticket.slice(0, Math.max(cut, 0));
  // Exactly this text is accepted: the signature is over the text, not over what it decodes to.
  if (!body.startsWith(`${PREFIX}.`) || !equalInConstantTime(ticket.slice(cut + 1), signature(keys, body))) return null;
  const text = Buffer.from(body.slice(PREFIX.length + 1), 'base64url').toString('utf8');
  const parsed = v.safeParse(payloadSchema, JSON.parse(text));
  return parsed.success ? parsed.output : null;
}

const signature = (keys: Keys, body: string): string => keys.hmac('remote-trust', body).toString('base64url');

/** A fingerprint at most: whatever else was sent back is not repeated. */
const shortened = (text: string): string => (FINGERPRINT.test(text.trim().toUpperCase()) ? text.trim() : 'unknown');
