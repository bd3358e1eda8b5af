// The depot of this appliance as the task needs it: there, or refused with everything that is missing.
import * as v from 'valibot';
import { Problem } from '../../ground/problems.ts';
import type { AuditEvent } from '../../kernel/audit/audit.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { depotAvailability, verifyDepotPassword } from '../../services/offline-depot/serving/availability.ts';
import type { DepotEndpoint } from './steps.ts';

export interface Missing {
  code: string;
  text: string;
  page: string;
}

/** @throws Problem 409 `depot_unavailable` whose blockers name each condition that is missing */
export async function requireDepot(services: Services): Promise<DepotEndpoint> {
  const { missing, endpoint } = await depotAvailability(services);
  if (endpoint) return endpoint;
  const blockers = missing.map(({ text, page }) => ({
    subject: 'Offline depot',
    reason: text,
    page,
    unblock: linkTo(page),
  }));
  const detail = `The offline depot of this appliance can’t serve others yet. ${missing.map(({ text }) => text).join(' ')}`;
  throw new Problem('depot_unavailable', detail, { blockers });
}

const LINKS: readonly (readonly [path: string, link: string])[] = [
  ['/certificate-authority', 'Open the certificate authority'],
  ['/offline-depot', 'Open the offline depot'],
  ['apply', 'Review and apply'],
];

/** Text of the link to the page where a condition is fixed. */
export const linkTo = (page: string): string => LINKS.find(([path]) => page.includes(path))?.[1] ?? 'Open its page';

/** The field for the password, which is typed for every run and never from a vault. */
export const DEPOT_PASSWORD = {
  depot_password: v.pipe(v.string(), v.maxLength(1024, 'At most 1024 characters.')),
};

/** The fault of the typed password; null when it is right. @throws Problem 429 */
export async function depotPasswordFault(
  services: Services,
  username: string,
  password: string,
): Promise<string | null> {
  if (password === '') return 'Enter the password.';
  const right = await verifyDepotPassword(services, username, password);
  return right ? null : `This is not the password of the depot user ${username}.`;
}

/**
 * For a password that was typed after the review, before anything is sent.
 * @throws Problem `remote_credential_gone`: it has to be typed again; 429
 */
export async function requireRetyped(services: Services, username: string, password: string): Promise<void> {
  if ((await depotPasswordFault(services, username, password)) === null) return;
  throw new Problem(
    'remote_credential_gone',
    `What was typed is not the password of the depot user ${username}, and was not sent. Enter it again to continue.`,
  );
}

export const passwordEvent = (server: string, username: string, right: boolean): AuditEvent => ({
  action: 'remote.depot.password',
  resource_type: 'remote_target',
  resource_id: null,
  outcome: right ? 'success' : 'failure',
  detail: { server, username },
});
