// Deployment: looks at vCenter or the ESX host.

import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(DEPLOY_TASK);
