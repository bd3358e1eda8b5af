// The end of the certificate that the management UI shows, as people are told of it in time.
import { X509Certificate } from 'node:crypto';
import type { Settings } from '../../kernel/operation/services.ts';

/** Days before the end from which on it is told. */
const ENDING_DAYS = 30;
const DAY = 86_400_000;

/** When it ends, RFC 3339 in UTC; null: there is none. */
export function managementEnd({ management_shown }: Pick<Settings, 'management_shown'>): string | null {
  return management_shown ? new X509Certificate(management_shown.certificate).validToDate.toISOString() : null;
}

/** When it ends, RFC 3339 in UTC, where that is near or past; null: neither, or there is none. `now`: RFC 3339. */
export function endingSoon(settings: Pick<Settings, 'management_shown'>, now: string): string | null {
  const end = managementEnd(settings);
  return end !== null && Date.parse(end) - Date.parse(now) < ENDING_DAYS * DAY ? end : null;
}
