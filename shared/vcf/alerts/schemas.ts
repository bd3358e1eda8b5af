// What the API says of alerts.
import * as v from 'valibot';
import {
  anyCase,
  component,
  described,
  idParam,
  idSchema,
  instantSchema,
  listOf,
  PAGE_QUERY,
  text,
} from '../../ground/schemas/component.ts';
import { ALERT_STATES, type Alert, type AlertState } from './alert.ts';
import { CONDITION_IDS, SEVERITIES } from './condition-ids.ts';

export const alertParam = idParam('alert_id', 'Id of the alert.');

export const alertQuery = {
  state: v.optional(anyCase(ALERT_STATES, 'Only alerts in this state.')),
  condition: v.optional(described(v.picklist(CONDITION_IDS), 'Only alerts of this condition.')),
  ...PAGE_QUERY,
};

export const alertSchema = component(
  'Alert',
  v.object({
    id: idSchema,
    condition: described(v.picklist(CONDITION_IDS), 'Which condition it is, of those of `GET /api/v1/health`.'),
    subject: text('What it is of: a unit, the purpose of a certificate, a disk, a DHCP scope.'),
    severity: described(v.picklist(SEVERITIES), 'critical: something does not work, or is about to be lost.'),
    says: text('The condition in a sentence or two, as it was last seen.'),
    state: described(
      v.picklist(ALERT_STATES),
      'open: nobody took it on. acknowledged: somebody did. closed: the condition has ended.',
    ),
    since: described(instantSchema, 'When the condition was first seen.'),
    opened_at: described(instantSchema, 'When it had lasted long enough to open an alert.'),
    acknowledged_at: described(v.nullable(instantSchema), 'When somebody took it on; null: nobody did.'),
    acknowledged_by: described(v.nullable(v.string()), 'Who did.'),
    closed_at: described(v.nullable(instantSchema), 'When it was closed, by itself; null: it is open.'),
  }),
);
export const alertListSchema = listOf('AlertList', alertSchema);

export const stateOf = ({ state, acknowledged_at }: Alert): AlertState => {
  if (state === 'closed') return 'closed';
  return acknowledged_at === null ? 'open' : 'acknowledged';
};

/** As the API answers it. */
export function alertAnswer(alert: Alert): v.InferOutput<typeof alertSchema> {
  const { id, condition, subject, severity, says, since, opened_at } = alert;
  const { acknowledged_at, acknowledged_by, closed_at } = alert;
  return {
    ...{ id, condition, subject, severity, says, state: stateOf(alert), since, opened_at: opened_at! },
    ...{ acknowledged_at, acknowledged_by, closed_at },
  };
}
