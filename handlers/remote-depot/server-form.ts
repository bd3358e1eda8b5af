// Offline depot of another appliance: looks at the server.
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';
import { DEPOT_TASK } from '../../shared/vcf/remote-depot/task.ts';

export const operation = serverForm(DEPOT_TASK);
