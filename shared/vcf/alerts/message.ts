// What a receiver is told, the same for each kind: the fields of an alert and its sentence, and nothing else. Nothing that is
// secret is in any of them: conditions speak of units, purposes, scopes, disks and counts.
import { instant } from '../../ground/clock.ts';
import type { Alert, AlertEvent } from './alert.ts';
import type { Severity } from './condition-ids.ts';

/** The JSON body of a webhook. */
export interface Message {
  /** `test`: nothing happened; somebody tried the receiver. */
  event: AlertEvent | 'test';
  /** When it happened. */
  at: string;
  /** Host name of the appliance. */
  appliance: string;
  alert: {
    id: string;
    condition: string;
    subject: string;
    severity: Severity;
    says: string;
    opened_at: string;
    closed_at: string | null;
    acknowledged_by: string | null;
  };
}

export function messageOf(event: AlertEvent, alert: Alert, appliance: string, now: Date): Message {
  const { id, condition, subject, severity, says, opened_at, closed_at, acknowledged_by } = alert;
  return {
    ...{ event, at: instant(now), appliance },
    alert: { id, condition, subject, severity, says, opened_at: opened_at!, closed_at, acknowledged_by },
  };
}

/** Of no alert: for whoever tries a receiver. */
export function testMessage(appliance: string, now: Date): Message {
  const at = instant(now);
  const says = 'This is a test. Nothing happened.';
  return {
    ...{ event: 'test', at, appliance },
    alert: {
      ...{ id: 'alert_test', condition: 'test', subject: 'test', severity: 'warning', says },
      ...{ opened_at: at, closed_at: at, acknowledged_by: null },
    },
  };
}

const WORDS: Readonly<Record<Message['event'], (severity: Severity) => string>> = {
  opened: (severity) => severity,
  worse: () => 'now critical',
  reminder: (severity) => `still ${severity}`,
  closed: () => 'over',
  test: () => 'test',
};

/** `critical: NTP does not answer as applied.` */
export const headline = ({ event, alert: { severity, says } }: Message): string => `${WORDS[event](severity)}: ${says}`;
