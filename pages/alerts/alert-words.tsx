// Words and small parts that the pages of alerts share.

import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Alert } from '../../shared/vcf/alerts/alert.ts';
import type { ConditionId, Severity } from '../../shared/vcf/alerts/condition-ids.ts';
import type { Receiver, ReceiverKind } from '../../shared/vcf/alerts/receiver.ts';
import { stateOf } from '../../shared/vcf/alerts/schemas.ts';
import { State } from '../components/state-word.tsx';

export const ALERTS = { href: pagePath('alerts'), label: 'Alerts' };
export const RECEIVERS = { href: pagePath('alert-receivers'), label: 'Receivers' };

export const KIND_WORDS: Record<ReceiverKind, string> = {
  webhook: 'Webhook',
  mail: 'Mail server',
  syslog: 'Syslog server',
};

export const SEVERITY_WORDS: Record<Severity, string> = { critical: 'Critical', warning: 'Warning' };

/** What a condition is called in a list of them. */
export const CONDITION_WORDS: Record<ConditionId, string> = {
  unit_failing: 'Service does not answer',
  unit_drifted: 'Host was changed',
  apply_failed: 'Apply failed or rolled back',
  window_open: 'Apply waits for confirmation',
  job_failed: 'Job failed',
  certificate_ending: 'Certificate ends',
  disk_full: 'Disk nearly full',
  datastore_full: 'Datastore nearly full',
  volume_missing: 'Storage disk missing',
  pool_full: 'DHCP scope nearly full',
  clock_unsynchronised: 'Clock follows no time source',
  clock_offset: 'Clock is off',
  not_sampled: 'No current measurements',
  archives_overdue: 'Archives overdue',
  keys_unprotected: 'Keys in no archive',
  sign_ins_refused: 'Many failed sign-ins',
  receiver_failing: 'Receiver fails',
};

export function AlertState({ alert }: { alert: Alert }) {
  const state = stateOf(alert);
  if (state === 'closed') return <State kind="off">Closed</State>;
  if (state === 'acknowledged') return <State kind="pending">Acknowledged</State>;
  return <State kind={alert.severity === 'critical' ? 'bad' : 'warn'}>{SEVERITY_WORDS[alert.severity]}</State>;
}

/** What keeps a receiver from being told, the first thing first; else whether it took the last message. */
export function ReceiverState({ receiver }: { receiver: Receiver }) {
  const { enabled, sha256, kind, has_secret, failing_since, last_sent_at } = receiver;
  if (sha256 === null) return <State kind="warn">Certificate not confirmed</State>;
  if (kind === 'webhook' && !has_secret) return <State kind="warn">No signing secret</State>;
  if (kind === 'mail' && receiver.place.username !== '' && !has_secret) return <State kind="warn">No password</State>;
  if (!enabled) return <State kind="off">Off</State>;
  if (failing_since !== null) return <State kind="bad">Delivery fails</State>;
  return <State kind="ok">{last_sent_at === null ? 'Ready' : 'Last message delivered'}</State>;
}
