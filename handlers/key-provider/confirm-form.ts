// Registering at a vCenter: confirms the certificate of the server.
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(KEY_PROVIDER_TASK);
