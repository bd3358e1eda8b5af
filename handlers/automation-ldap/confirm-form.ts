// LDAP of VCF Automation: confirms the certificate of the server.
import { AUTOMATION_LDAP_TASK } from '../../shared/vcf/automation-ldap/task.ts';
import { confirmForm } from '../../shared/vcf/remote/wizard-operations.ts';

export const operation = confirmForm(AUTOMATION_LDAP_TASK);
