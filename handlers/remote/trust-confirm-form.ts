// Certificate trust: confirms the certificate of the server.
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(TRUST_TASK);
