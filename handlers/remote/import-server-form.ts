// Password import: looks at the server.
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(IMPORT_TASK);
