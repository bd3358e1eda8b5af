// Mounting on hosts: confirms the certificate of the server.
import { MOUNT_TASK } from '../../shared/vcf/datastore-mount/task.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(MOUNT_TASK);
