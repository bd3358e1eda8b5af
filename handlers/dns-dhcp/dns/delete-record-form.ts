// The button that deletes a record.
import { pagePath, pageRoute } from '../../../shared/ground/page-paths.ts';
import { formOf } from '../../../shared/kernel/operation/define-operation.ts';
import { operation as deleteRecord } from './delete-record.ts';

export const operation = formOf(deleteRecord, {
  path: `${pageRoute('dns-record')}/delete`,
  done: (_answer, fields) => ({
    location: pagePath('dns-zone', fields.text('zone_id')),
    flash: 'The record is deleted. The host follows at the next apply.',
  }),
});
