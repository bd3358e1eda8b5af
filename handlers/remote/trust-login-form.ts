// Certificate trust: tries the typed login, and reads what kind of appliance it is.
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { loginForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = loginForm(TRUST_TASK, async () => ({}));
