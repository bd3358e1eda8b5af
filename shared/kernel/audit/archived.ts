// What an archive has of the audit log: the log itself never comes back, because it tells of this appliance alone.
import type { ArchivedTables } from '../../ground/store/archived.ts';

export const ARCHIVED: ArchivedTables = {
  audit_event: { as: 'history' },
};
