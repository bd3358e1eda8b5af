// The appliance's own client, by which the probe goes the whole way of a sign-in without a person. What keeps it harmless:
// - It is there for connections from this machine alone, and without its secret, which is in a file for the service and root and is
//   another one after each start, it comes to nothing.
// - It gets a token for nobody but itself: a subject without name and group, which no other client knows; and no person can be
//   signed in to it, also not one who has a session in the same browser.
// - Its redirect URI is an address of ours at which nothing answers; the probe reads it and does not go there.
// - It is no row: no list, card, archive or limit of clients has it, and no sign-in of it is in the audit log.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { plainAddress } from '../../../ground/addresses/source.ts';
import { equalInConstantTime } from '../../../ground/sealing/keys.ts';
import type { Payload } from '../artifacts/artifacts.ts';
import { PROBE_CLIENT } from '../manifest.ts';
import { probeRedirect } from '../probe-flow.ts';

/** Seconds that what it was given is kept; a probe takes less than one. */
export const PROBE_SECONDS = 60;
const PROBE_SUBJECT = 'probe';

export const newProbeSecret = (): string => randomBytes(32).toString('base64url');

/** Nobody else can come from the address that they go to: what answers them would stay on this machine. */
export function isOwnMachine({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  const { remoteAddress, localAddress } = socket;
  return remoteAddress !== undefined && plainAddress(remoteAddress) === plainAddress(localAddress ?? '');
}

/** Whether this is the probe, which shows its secret where a person would enter a password. */
export const isProbe = (request: IncomingMessage, secret: string): boolean =>
  isOwnMachine(request) && equalInConstantTime(request.headers.authorization ?? '', `Bearer ${secret}`);

/** Without a secret: it is compared elsewhere. */
export const probeMetadata = (issuer: string): Payload => ({
  client_id: PROBE_CLIENT,
  client_name: 'Groundcrew',
  redirect_uris: [probeRedirect(issuer)],
  response_types: ['code'],
  grant_types: ['authorization_code'],
  token_endpoint_auth_method: 'client_secret_basic',
  requires_pkce: true,
  refresh_tokens: false,
});

/** Whom it signs in. */
export const probeLogin = { accountId: PROBE_SUBJECT, remember: false };
export const isProbeSubject = (sub: string): boolean => sub === PROBE_SUBJECT;
export const probeAccount = { accountId: PROBE_SUBJECT, claims: () => ({ sub: PROBE_SUBJECT }) };
