// Alerts in each state, and receivers of each kind in each standing.
import { instant, later } from '../../shared/ground/clock.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<{ id: string }>;

const RECEIVERS = '/api/v1/alert-receivers';
const SHA256 = Array.from({ length: 32 }, (_, at) => (at * 7 + 16).toString(16).toUpperCase().padStart(2, '0')).join(
  ':',
);

const ALERTS = [
  [
    'alert_open',
    'certificate_ending',
    'kms',
    'warning',
    'The certificate of Key management expires at 2026-12-05 09:00 UTC.',
    'open',
    5,
    null,
  ],
  [
    'alert_critical',
    'disk_full',
    'volume nvme0',
    'critical',
    'Of the disk that holds the volume nvme0, 6 % is free.',
    'open',
    2,
    null,
  ],
  [
    'alert_taken',
    'unit_drifted',
    'ntp',
    'warning',
    'NTP was changed on the host since the last apply.',
    'open',
    26,
    'ada',
  ],
  [
    'alert_closed',
    'clock_unsynchronised',
    'ntp',
    'warning',
    'The clock follows none of its time sources.',
    'closed',
    60,
    'ada',
  ],
] as const;

const MESSAGES = [
  ['message_a', 'opened', 'sent', 1, 5, ''],
  ['message_b', 'opened', 'queued', 3, 2, 'hooks.lab.example answered 503.'],
  [
    'message_c',
    'closed',
    'dead',
    16,
    60,
    'hooks.lab.example refused the connection. Check the port, and that the machine has started.',
  ],
] as const;

export async function furnishAlerts(
  services: Services,
  call: Call,
): Promise<{ receiver_id: string; alert_id: string }> {
  const { store, clock, settings } = services;
  const ago = (hours: number) => instant(later(clock.now(), -hours * 3600));
  const hook = await call('POST', RECEIVERS, {
    ...{ name: 'lab chat', kind: 'webhook', url: 'https://hooks.lab.example/groundcrew' },
  });
  await call('POST', `${RECEIVERS}/${hook.id}/make-secret`);
  await call('POST', RECEIVERS, {
    ...{ name: 'operators', kind: 'mail', host: 'mail.lab.example', username: 'groundcrew', password: 'kept for mail' },
    ...{ sender: 'groundcrew@lab.example', recipients: ['ops@lab.example'], severity: 'critical' },
  });
  await call('POST', RECEIVERS, { name: 'log host', kind: 'syslog', host: 'logs.lab.example' });
  await store.write(async (tx) => {
    await tx.run("UPDATE alert_receiver SET sha256 = ? WHERE kind <> 'syslog'", [SHA256]);
    await tx.run('UPDATE alert_receiver SET failing_since = ?, last_sent_at = ?, last_reason = ? WHERE id = ?', [
      ...[ago(2), ago(5), 'hooks.lab.example answered 503.', hook.id],
    ]);
    for (const [id, condition, subject, severity, says, state, hours, by] of ALERTS) {
      await tx.run(
        `INSERT INTO alert (id, condition, subject, severity, says, state, since, opened_at, closed_at, acknowledged_at, acknowledged_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          ...[id, condition, subject, severity, says, state, ago(hours), ago(hours)],
          ...[state === 'closed' ? ago(hours - 4) : null, by && ago(hours - 1), by],
        ],
      );
    }
    for (const [id, event, state, attempts, hours, reason] of MESSAGES) {
      const [alert, condition, subject, severity, says] = ALERTS[0];
      const content = {
        ...{ event, at: ago(hours), appliance: settings.hostname },
        alert: {
          ...{ id: alert, condition, subject, severity, says, opened_at: ago(hours) },
          ...{ closed_at: null, acknowledged_by: null },
        },
      };
      await tx.run(
        `INSERT INTO alert_message (id, receiver_id, alert_id, event, content, state, attempts, made_at, next_at, ended_at, reason)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          ...[id, hook.id, alert, event, JSON.stringify(content), state, attempts, ago(hours)],
          ...[state === 'queued' ? ago(-0.5) : null, state === 'queued' ? null : ago(hours - 0.5), reason],
        ],
      );
    }
  });
  return { receiver_id: hook.id, alert_id: 'alert_open' };
}
