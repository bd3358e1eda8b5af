// An alert: a condition of one subject that lasted long enough to be told.
import type { ConditionId, Severity } from './condition-ids.ts';

/** What is told of an alert. `worse`: its severity rose. */
export const EVENTS = ['opened', 'worse', 'reminder', 'closed'] as const;
export type AlertEvent = (typeof EVENTS)[number];

/** As people see it. One that waits is no alert yet. */
export const ALERT_STATES = ['open', 'acknowledged', 'closed'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

export interface Alert {
  id: string;
  condition: ConditionId;
  subject: string;
  severity: Severity;
  says: string;
  state: 'waiting' | 'open' | 'closed';
  /** When the condition was first seen. */
  since: string;
  opened_at: string | null;
  /** Of an open one: since when the condition is not there; null: it is there. */
  gone_since: string | null;
  closed_at: string | null;
  reminded_at: string | null;
  acknowledged_at: string | null;
  acknowledged_by: string | null;
  /** How often it came back soon after it had closed: each time it has to be gone for twice as long. */
  flaps: number;
}

/** A condition that is there now. */
export interface Present {
  id: ConditionId;
  subject: string;
  severity: Severity;
  says: string;
}
