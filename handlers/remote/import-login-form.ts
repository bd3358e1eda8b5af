// Password import: logs in and reads which passwords there are, without their values.
import { IMPORT_TASK } from '../../shared/remote/wizard.ts';
import { loginForm } from '../../shared/remote/wizard-operations.ts';
import { readCredentials } from '../../shared/vcf-api/read-credentials.ts';

export const operation = loginForm(IMPORT_TASK, async (session, appliance, signal) => ({
  found: await readCredentials(session, appliance, signal),
}));
