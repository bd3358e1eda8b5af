// Mounting on hosts: looks at the server.
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(MOUNT_TASK);
