// Giving the directory to VCF Automation as a durable job. Until a user signed in there, a failure takes back what was done; a
// restart continues with what was not done. Typed passwords are in memory only: when they are gone the job fails with that
// cause, and continues once they are typed again.
import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { releaseLocks, takeLock } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { ContinuationField, JobKind } from '../../kernel/jobs/kind.ts';
import { Cancelled, type JobRun, Left } from '../../kernel/jobs/run.ts';
import { openAutomation } from '../automation-api/session.ts';
import { clientFor } from '../connection/reach.ts';
import { serverText } from '../connection/target.ts';
import { LOGIN_FIELDS } from '../remote/login-fields.ts';
import { jobContext, openJobLogin } from '../remote/stored-login.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { AUTOMATION_LDAP_KIND, inputOf, keptIn, ldapLock } from './input.ts';
import { organizationHere, requireDirectory, wishOf } from './local.ts';
import { requirePasswords } from './passwords.ts';
import {
  begin,
  end,
  giveRole,
  proveThere,
  readThere,
  type Scene,
  testThere,
  trustRoot,
  verifyThere,
  writeThere,
} from './steps.ts';
import { AUTOMATION_LDAP_TASK, taskHref } from './task.ts';
import { undone, withRemains } from './undo.ts';

export interface AutomationLdapResult {
  server: string;
  /** Of VCF Automation. */
  organization: string;
  /** `ldaps://ldap.lab.example:636` */
  directory: string;
  group: string;
  role: string;
  /** Who signed in. */
  user: string;
  replaced: boolean;
}

/** For a goodbye, milliseconds. */
const LOGOUT_MS = 5000;

const PASSWORD_FIELDS: readonly ContinuationField[] = [
  { name: 'bind_password', label: 'Password of the bind account', kind: 'password', help: 'Of this directory.' },
  {
    name: 'user_password',
    label: 'Password of the user',
    kind: 'password',
    help: 'Of this directory, for one sign-in.',
  },
];

export const automationLdapJob: JobKind = {
  kind: AUTOMATION_LDAP_KIND,
  says: (subject) => `Set the LDAP of VCF Automation at ${subject}`,
  page: ({ id }) => ({ href: taskHref(id), label: 'LDAP settings' }),
  lane: 'remote',
  stops: AUTOMATION_LDAP_TASK.scope,
  keepsSucceeded: true,
  // Each of them may leave something half done behind.
  continuesAfter: ['remote_unreachable', 'remote_timeout', 'remote_not_ready', 'remote_answer_unusable'],
  continues: () => ({ scope: AUTOMATION_LDAP_TASK.scope, fields: [...LOGIN_FIELDS, ...PASSWORD_FIELDS] }),
  // A stored login of somebody who chose it is not used for somebody who types another one.
  continuedInput: (input) => ({ ...input, stored: null }),
  async run(job): Promise<AutomationLdapResult> {
    await own(job);
    const scene = await enter(job).catch((error) => {
      throw withRemains(job, error);
    });
    try {
      return await work(scene);
    } catch (error) {
      // The next start takes it up.
      const leaves = job.fenced || error instanceof Left || job.signal.reason instanceof Left;
      const { reason } = job.signal;
      throw leaves ? error : await undone(job, scene.session, reason instanceof Cancelled ? reason : error);
    } finally {
      await scene.session.close(AbortSignal.timeout(LOGOUT_MS));
      scene.client.close();
    }
  },
  async ended(job, outcome) {
    const { target, organization, server, slug, group, user, role, replaces } = inputOf(job);
    const { done = false } = keptIn(job.kept);
    await releaseLocks(job.transaction!, job.id);
    await appendAudit(
      job.transaction!,
      job.services.keys,
      jobContext(job),
      {
        action: 'remote.automation-ldap.configure',
        resource_type: 'remote_target',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: {
          ...{ job_id: job.id, server: serverText(target), organization: organization.name, directory: server.host },
          ...{ from: slug, group, user, role: role.name, replaces, signed_in: done, ended: outcome },
        },
      },
      { holdsLock: true },
    );
  },
};

/** Also for a job that is continued: another job may own the settings meanwhile. @throws Problem 423 */
async function own(job: JobRun): Promise<void> {
  const { services } = job;
  const since = instant(services.clock.now());
  await services.store.write((tx) => takeLock(tx, ldapLock(inputOf(job)), job.id, since));
}

async function enter(job: JobRun): Promise<Scene> {
  await begin(job, 'login');
  const input = inputOf(job);
  const here = await requireDirectory(job.services);
  const organization = organizationHere(here, input.slug);
  const { host, port, root } = here;
  const same = host === input.server.host && port === input.server.port && root.sha256 === input.root_sha256;
  if (!same || !organization)
    throw new Problem('state_conflict', 'The directory here is not as it was reviewed. Go through the steps again.');
  const { bind_password = '', user_password = '' } = job.secrets ?? {};
  if (bind_password === '') throw gone(job);
  const passwords = { bind_password, user_password };
  await requirePasswords(job.services, here, input, passwords);
  const login = await credentialOf(job);
  const client = await clientFor(job.services, input.target);
  try {
    const session = await openAutomation(client, login, job.signal);
    const wish = wishOf(here, organization.suffix, input.account, session.version);
    await end(job, 'login', `${session.organization.name}, API ${session.version}.`);
    return { job, client, session, here, wish, passwords };
  } catch (error) {
    client.close();
    throw error;
  }
}

async function work(scene: Scene): Promise<AutomationLdapResult> {
  await readThere(scene);
  await trustRoot(scene);
  await testThere(scene);
  await writeThere(scene);
  await verifyThere(scene);
  await giveRole(scene);
  await proveThere(scene);
  const { target, organization, server, group, role, user, replaces } = inputOf(scene.job);
  return {
    ...{ server: serverText(target), organization: organization.name, group, role: role.name, user },
    ...{ directory: `ldaps://${server.host}:${server.port}`, replaced: replaces },
  };
}

/** The login typed for this job; else the stored credential, whose use is recorded. */
async function credentialOf(job: JobRun): Promise<ApplianceCredential> {
  const { username = '', password = '' } = job.secrets ?? {};
  if (username !== '') return { username, password };
  const { target, stored } = inputOf(job);
  if (stored) return openJobLogin(job, stored, target, AUTOMATION_LDAP_TASK.purpose);
  throw gone(job);
}

function gone(job: JobRun): Problem {
  const { trusting, writing } = keptIn(job.kept);
  const begun = trusting || writing ? 'what was done stays done' : 'nothing was changed there so far';
  return new Problem(
    'remote_credential_gone',
    `The typed passwords were kept in memory only: the service was restarted, or half an hour went by. Enter them again to continue; ${begun}.`,
  );
}
