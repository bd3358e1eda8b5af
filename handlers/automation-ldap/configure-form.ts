// LDAP of VCF Automation: queues the reviewed task, with the passwords of the directory that it needs.
import * as v from 'valibot';
import { type FieldError, invalid, Problem } from '../../shared/ground/problems.ts';
import { jobSecrets } from '../../shared/kernel/jobs/secrets.ts';
import { type AutomationLdapInput, queueAutomationLdap } from '../../shared/vcf/automation-ldap/input.ts';
import type { DirectoryHere } from '../../shared/vcf/automation-ldap/local.ts';
import { AUTOMATION_LDAP_TASK, taskHref } from '../../shared/vcf/automation-ldap/task.ts';
import { requireDraft, requireReviewed } from '../../shared/vcf/remote/draft.ts';
import {
  decodeTexts,
  LOGIN,
  REVIEWED,
  type Ready,
  readyToLogIn,
  TRUSTED,
  taskForm,
} from '../../shared/vcf/remote/wizard-operations.ts';

const secret = v.pipe(v.string(), v.maxLength(1024, 'At most 1024 characters.'));
const body = v.strictObject({ ...TRUSTED, ...LOGIN, ...REVIEWED, bind_password: secret, user_password: secret });

interface Checked {
  here: DirectoryHere;
  ready: Ready;
  faults: FieldError[];
}

export const operation = taskForm(
  AUTOMATION_LDAP_TASK,
  {
    id: 'automationLdapConfigureForm',
    at: 'configure',
    effect: 'queues-job',
    summary: 'Set the LDAP of an organization of VCF Automation',
    description:
      'Queues a durable job that owns the LDAP settings of the organization until it ended: another one for the same is refused with 423 and told its id. Both passwords of the directory are compared here before anything is queued, so that a wrong one locks nobody; each check is recorded. The job trusts the root, tests, writes, verifies, gives the group its role and signs in as the user. Until that worked, a failure takes back what was done there. Settings other than the reviewed ones are left alone. Typed passwords are kept in the memory of the service until the job ends; a stored login is opened when the job logs in.',
    body,
    audit: ['remote.automation-ldap.queue'],
    problems: ['trust_missing', 'state_conflict'],
    async prepare({ services, actor, request, body }): Promise<Checked> {
      const [{ requireDirectory }, { passwordFaults }] = await Promise.all([
        import('../../shared/vcf/automation-ldap/local.ts'),
        import('../../shared/vcf/automation-ldap/passwords.ts'),
      ]);
      const here = await requireDirectory(services);
      const ready = await readyToLogIn(AUTOMATION_LDAP_TASK, { services, actor, request, body });
      const draft = requireDraft(services, actor, AUTOMATION_LDAP_TASK, body.draft, ready.server);
      const chosen = draft.automation_ldap?.chosen;
      if (!chosen) throw new Problem('state_conflict', 'What it gets was not chosen yet.');
      return { here, ready, faults: await passwordFaults(services, here, chosen, body) };
    },
    async run({ tx, services, actor, audit, body, prepared }) {
      const { here, ready, faults } = prepared as Checked;
      const { trusted, server, stored } = ready;
      const draft = requireDraft(services, actor, AUTOMATION_LDAP_TASK, body.draft, server);
      requireReviewed(AUTOMATION_LDAP_TASK, draft, body.reviewed);
      const { found, chosen } = draft.automation_ldap!;
      const { slug, account, group, user, role, replaces } = chosen!;
      const about = {
        server,
        organization: found.organization.name,
        from: slug,
        account,
        group,
        user,
        role: role.name,
      };
      const event = { action: 'remote.automation-ldap.queue', resource_type: 'job', resource_id: null };
      if (faults.length > 0) {
        audit({ ...event, outcome: 'failure', detail: { ...about, refused: 'password' } });
        return { refuse: invalid(...faults) };
      }
      const input: AutomationLdapInput = {
        ...{ ...chosen!, target: trusted, organization: found.organization, mark: found.mark },
        stored: stored && { vault_id: stored.vault_id, choice_id: stored.choice_id },
        server: { host: here.host, port: here.port },
        root_sha256: here.root.sha256,
      };
      const job_id = await queueAutomationLdap(tx, services, input, actor.name);
      // Before the commit: afterwards the job may begin at any moment.
      const { username, password, bind_password, user_password } = body;
      jobSecrets(services).put(job_id, { bind_password, user_password, ...(!stored && { username, password }) });
      audit({ ...event, resource_id: job_id, detail: { ...about, replaces } });
      return { body: { job_id } };
    },
  },
  {
    secret: ['password', 'bind_password', 'user_password'],
    decode: (fields) => ({
      ...decodeTexts(body)(fields),
      bind_password: fields.values.get('bind_password') ?? '',
      user_password: fields.values.get('user_password') ?? '',
    }),
    done: ({ body }) => ({
      location: taskHref((body as { job_id: string }).job_id),
      flash: 'The settings are on their way. This page follows them.',
    }),
  },
);
