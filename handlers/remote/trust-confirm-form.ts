// Certificate trust: confirms the certificate of the server.
import { TRUST_TASK } from '../../shared/remote/wizard.ts';
import { confirmForm } from '../../shared/remote/wizard-operations.ts';

export const operation = confirmForm(TRUST_TASK);
