// LDAP of VCF Automation: logs in, and reads what the organization has.
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { entryForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = entryForm(AUTOMATION_LDAP_TASK, async (services, ready) => {
  // Loaded when somebody logs in: a page before that does without.
  const { inspectAutomation } = await import('../../shared/vcf/automation-ldap/inspect.ts');
  return inspectAutomation(services, ready);
});
