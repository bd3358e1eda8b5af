// What an archive has of the tables of this room: receivers with their secrets, where it is encrypted. The URL of a webhook often
// is a secret itself. Alerts and messages are of this appliance alone.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  alert_receiver: {
    as: 'sealed',
    label: 'Receivers of alerts',
    columns: 'name kind enabled severity place sha256',
    key: 'name',
    unique: 'name',
    booleans: 'enabled',
    json: 'place',
    // Observed here.
    left: 'failing_since last_sent_at last_reason',
  },
  alert_receiver_secret: {
    as: 'sealed',
    label: 'Secrets of receivers of alerts',
    columns: 'receiver_id server',
    key: 'receiver_id',
    refers: { receiver_id: 'alert_receiver' },
    secret: 'kek_id sealed_key sealed_value',
  },
  alert: { as: 'history' },
  alert_message: { as: 'history' },
};
