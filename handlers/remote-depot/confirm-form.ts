// Offline depot of another appliance: confirms the certificate of the server.
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';

export const operation = confirmForm(DEPOT_TASK);
