// Password import: confirms the certificate of the server.
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(IMPORT_TASK);
