// LDAP of VCF Automation: looks at the server.
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { serverForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = serverForm(AUTOMATION_LDAP_TASK);
