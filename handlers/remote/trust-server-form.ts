// Certificate trust: looks at the server.
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(TRUST_TASK);
