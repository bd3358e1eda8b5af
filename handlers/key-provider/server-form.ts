// Registering at a vCenter: looks at the server.
import { KEY_PROVIDER_TASK } from '../../shared/vcf/key-provider/task.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(KEY_PROVIDER_TASK);
