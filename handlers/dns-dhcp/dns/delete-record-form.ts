// The button that deletes a record.
import { defineForm } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteRecord } from './delete-record.ts';

export const operation = defineForm(
  { of: deleteRecord, path: '/ui/management/dns/records/{record_id}/delete', access: { session: 'write:dns' } },
  {
    page: '/ui/management/dns/records/{record_id}',
    decode: () => undefined,
    done: (_answer, fields) => ({
      location: `/ui/management/dns/zones/${encodeURIComponent(fields.text('zone_id'))}`,
      flash: 'The record is deleted. The host follows at the next apply.',
    }),
  },
);
