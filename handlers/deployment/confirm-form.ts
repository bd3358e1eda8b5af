// Deployment: confirms the certificate of vCenter or the ESX host.

import { DEPLOY_TASK } from '../../shared/vcf/deployment/wizard-task.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(DEPLOY_TASK);
