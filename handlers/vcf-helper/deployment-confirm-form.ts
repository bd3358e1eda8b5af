// Deployment: confirms the certificate of vCenter or the ESX host.
import { confirmForm } from '../../shared/remote/wizard-operations.ts';
import { DEPLOY_TASK } from '../../shared/vcf-helper/deployment/wizard-task.ts';

export const operation = confirmForm(DEPLOY_TASK);
