// Adds a target of archives; its secret is sealed and never read back.
import { archiveTargets } from '../../../shared/appliance/archive/schedule/targets.ts';
import { createOperation } from '../../../shared/platform/units/collection-operations.ts';

export const operation = createOperation(archiveTargets, {
  id: 'createArchiveTarget',
  summary: 'Create a target of archives',
  description:
    'Changes application state immediately. A folder of the appliance is below `copies` in the data folder, or below `/srv/datastores` where a volume is mounted. No connection is made to an SFTP server before its host key is confirmed. S3 is spoken over TLS alone. Connections follow the settings of remote machines. There are at most 20 targets.',
  problems: ['vault_keys_unusable'],
});
