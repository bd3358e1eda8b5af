// Deployment: looks at vCenter or the ESX host.
import { serverForm } from '../../shared/remote/wizard-operations.ts';
import { DEPLOY_TASK } from '../../shared/vcf-helper/deployment/wizard-task.ts';

export const operation = serverForm(DEPLOY_TASK);
