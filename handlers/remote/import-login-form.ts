// Password import: logs in and reads which passwords there are, without their values.
import { IMPORT_TASK } from '../../shared/vcf/remote/wizard.ts';
import { loginForm } from '../../shared/vcf/remote/wizard-operations.ts';
import { readCredentials } from '../../shared/vcf/vcf-api/read-credentials.ts';

export const operation = loginForm(IMPORT_TASK, async (session, appliance, signal) => ({
  found: await readCredentials(session, appliance, signal),
}));
