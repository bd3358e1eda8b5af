// Making an appliance trust a certificate, as a durable job, over its API only. A certificate that it trusts already is
// a success with a note. A typed login is only in memory: when it is gone the job fails with that cause, and can be
// continued.

import { Problem } from '../../ground/problems.ts';
import type { Transaction } from '../../ground/store/database.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import { queueJob, refuseSecond } from '../../kernel/jobs/job.ts';
import type { JobKind } from '../../kernel/jobs/kind.ts';
import { type JobRun, Left } from '../../kernel/jobs/run.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { serverText } from '../connection/target.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import { type Appliance, ROLE_TITLES } from '../vcf-api/appliance.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import type { ApplianceCredential, ApplianceSession } from '../vcf-api/session.ts';
import { visitAppliance } from './appliance-visit.ts';
import type { CaCertificate } from './ca-certificate.ts';
import { LOGIN_FIELDS, typedLogin } from './login-fields.ts';
import { jobContext, openJobLogin } from './stored-login.ts';
import { TRUST_TASK } from './wizard.ts';
import type { Choice } from './wizard-credential.ts';

export const TRUST_KIND = 'certificate-trust';

export interface TrustInput {
  target: TrustedTarget;
  certificate: Pick<CaCertificate, 'pem' | 'sha256' | 'subject'>;
  /** Null: it was typed. */
  stored: Choice | null;
}

const TASKS = [
  { name: 'connect', title: 'Connect, and compare the certificate of the server' },
  { name: 'login', title: 'Log in' },
  { name: 'read', title: 'Read what it trusts' },
  { name: 'add', title: 'Add the certificate' },
  { name: 'verify', title: 'Read again and compare' },
] as const;
type TaskName = (typeof TASKS)[number]['name'];

/**
 * Queues it in the caller's transaction.
 * @throws Problem 409 while one for the same server and certificate is under way.
 */
export async function queueTrust(
  tx: Transaction,
  { clock, entropy }: Pick<Services, 'clock' | 'entropy'>,
  input: TrustInput,
  created_by: string,
): Promise<string> {
  const subject = `${serverText(input.target)} ${input.certificate.sha256}`;
  await refuseSecond(tx, 'does this', TRUST_KIND, subject);
  const tasks = TASKS.map((task) => ({ ...task }));
  return queueJob(tx, clock.now(), entropy, { kind: TRUST_KIND, subject, input: { ...input }, created_by, tasks });
}

export const trustJob: JobKind = {
  kind: TRUST_KIND,
  says: (subject) => `Have ${subject.split(' ')[0]} trust a certificate`,
  lane: 'remote',
  continues: () => ({ scope: TRUST_TASK.scope, fields: LOGIN_FIELDS }),
  // A stored login of somebody who chose it is not used for somebody who types another one.
  continuedInput: (input) => ({ ...input, stored: null }),
  async run(job) {
    const { target, certificate } = inputOf(job);
    await begin(job, 'connect');
    const early = new BreakOff(job.signal);
    const visit = {
      signal: early.signal,
      credential: () => credentialOf(job),
      reached: (part: 'connect' | 'login', appliance: Appliance | null) => tell(job, part, appliance),
    };
    return visitAppliance(job.services, target, visit, async (session, appliance, signal) => {
      const outcome = await ensureTrusted(job, session, certificate, { signal, early });
      return { outcome, server: serverText(target), machine: ROLE_TITLES[appliance.role], sha256: certificate.sha256 };
    });
  },
  async ended(job, outcome) {
    const { target, certificate } = inputOf(job);
    const { sha256, subject } = certificate;
    await appendAudit(
      job.transaction!,
      job.services.keys,
      jobContext(job),
      {
        action: 'remote.certificate.trust',
        resource_type: 'remote_target',
        resource_id: null,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: { job_id: job.id, server: serverText(target), sha256, subject, ended: outcome },
      },
      { holdsLock: true },
    );
  },
};

/**
 * Until the certificate is sent, a stop aborts the visit at once. Later the visit is completed, also when the service
 * stops: a typed login would be gone after a restart.
 */
class BreakOff {
  readonly #job: AbortSignal;
  readonly #controller = new AbortController();
  readonly #forward = (): void => {
    if (!(this.#job.reason instanceof Left)) this.#controller.abort(this.#job.reason);
  };

  constructor(job: AbortSignal) {
    this.#job = job;
    if (job.aborted) this.#forward();
    else job.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  over(): void {
    this.#job.removeEventListener('abort', this.#forward);
  }
}

const inputOf = ({ job }: JobRun): TrustInput => job.input as unknown as TrustInput;

async function begin(job: JobRun, name: TaskName): Promise<void> {
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(name);
  await job.services.checkpoint?.(`trust.${name}`);
}

async function tell(job: JobRun, part: 'connect' | 'login', appliance: Appliance | null): Promise<void> {
  if (appliance) await job.say(part, `${ROLE_TITLES[appliance.role]} ${appliance.version.text}`, { ok: true });
  await job.endTask(part, 'succeeded');
  if (part === 'connect') await begin(job, 'login');
}

async function ensureTrusted(
  job: JobRun,
  session: ApplianceSession,
  { pem, sha256 }: TrustInput['certificate'],
  { signal, early }: { signal: AbortSignal; early: BreakOff },
): Promise<'added' | 'already-trusted'> {
  const { isTrusted, trustCertificate } = await import('../vcf-api/trusted-certificates.ts');
  await begin(job, 'read');
  const before = await isTrusted(session, sha256, signal);
  await job.say('read', before ? 'It trusts the certificate already.' : 'The certificate is not among those.', {
    ok: true,
  });
  await job.endTask('read', 'succeeded');
  if (before) {
    for (const name of ['add', 'verify']) await job.endTask(name, 'skipped');
    return 'already-trusted';
  }
  early.over();
  await begin(job, 'add');
  const outcome = await trustCertificate(session, pem, signal);
  await job.say('add', outcome === 'added' ? 'Added.' : 'It trusts the certificate already.', { ok: true });
  await job.endTask('add', 'succeeded');
  await begin(job, 'verify');
  if (!(await isTrusted(session, sha256, signal))) {
    throw new ApplianceFault('failed', 'The appliance took the certificate, but does not list it.');
  }
  await job.say(
    'verify',
    'It lists the certificate. Whether each of its services uses it shows at their next connection.',
    { ok: true },
  );
  await job.endTask('verify', 'succeeded');
  return outcome;
}

/** The login typed for this job; else the stored credential, whose use is recorded; without both the job fails. */
async function credentialOf(job: JobRun): Promise<ApplianceCredential> {
  const typed = typedLogin(job);
  if (typed) return typed;
  const { target, stored } = inputOf(job);
  if (!stored) throw new Problem('remote_credential_gone', GONE);
  return openJobLogin(job, stored, target, 'certificate-trust');
}

const GONE =
  'The typed password was kept in memory only: the service was restarted, or half an hour went by. Nothing was changed on the appliance. Enter the login again to continue.';
