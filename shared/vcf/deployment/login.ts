// The logins of a deployment, at the hypervisor and at the new appliance: what was typed and is still in memory, or the
// stored credential, whose use is recorded.

import { type PropertyValues, propertyValues } from '../../ground/ova/property-values.ts';
import { Problem } from '../../ground/problems.ts';
import type { AuditContext } from '../../kernel/audit/audit.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { jobSecrets } from '../../kernel/jobs/secrets.ts';
import type { PinnedClient } from '../connection/pinned-client.ts';
import { clientFor } from '../connection/reach.ts';
import { jobContext, openJobLogin } from '../remote/stored-login.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { openVsphere, type VsphereSession } from '../vsphere/session.ts';
import type { LaterDescriptor } from './kept-descriptor.ts';
import { note, requestOf } from './notes.ts';
import { type DeploymentRequest, SECRET_NAMES } from './request.ts';

const ADMIN = 'admin@local';

export const auditContext = (job: JobRun): AuditContext => jobContext(job, 'appliance-deployment');

export const secretsOf = ({ services, id }: JobRun): Readonly<Record<string, string>> =>
  jobSecrets(services).get(id) ?? {};

/** Refusal of a step for want of something typed. `what`: `The login of the hypervisor`. */
export const gone = (what: string): Problem =>
  new Problem(
    'remote_credential_gone',
    `${what} was kept in memory only and is no longer there: the service was restarted, or half an hour went by before the job began. Enter it again to go on.`,
  );

/** All OVF values, the secret ones from memory. @throws Problem `remote_credential_gone` */
export function typedProperties(job: JobRun): Record<string, string> {
  const { properties, secret_properties } = requestOf(job.job.input);
  const secrets = secretsOf(job);
  const missing = secret_properties.filter((key) => secrets[SECRET_NAMES.property(key)] === undefined);
  if (missing.length > 0) throw gone(`The value of ${missing.join(', ')}`);
  return {
    ...properties,
    ...Object.fromEntries(secret_properties.map((key) => [key, secrets[SECRET_NAMES.property(key)]!])),
  };
}

/**
 * The values of all properties, checked against the OVF again: secret ones may have been typed again.
 * @throws Problem `remote_credential_gone`: they have to be typed again
 */
export function soundProperties(job: JobRun, descriptor: LaterDescriptor): PropertyValues {
  const { deployment_option } = requestOf(job.job.input);
  const said = propertyValues(descriptor, deployment_option, typedProperties(job));
  if (said.errors.length === 0) return said;
  const faults = said.errors.slice(0, FAULTS_MOST).map(({ pointer, detail }) => `${keyIn(pointer)}: ${detail}`);
  throw new Problem('remote_credential_gone', `What was typed again does not fit the OVF. ${faults.join(' ')}`);
}

/** That are named in one sentence. */
const FAULTS_MOST = 5;
const keyIn = (pointer: string): string =>
  pointer.replace('/properties/', '').replaceAll('~1', '/').replaceAll('~0', '~');

/** Whether all that is typed for the hypervisor and the OVF is at hand. */
export function hasLogin(job: JobRun): boolean {
  return requestOf(job.job.input).stored !== null || secretsOf(job)[SECRET_NAMES.password] !== undefined;
}

/** Before anything that takes long. @throws Problem `remote_credential_gone` */
export function requireTyped(job: JobRun): void {
  if (!hasLogin(job)) throw gone('The login of the hypervisor');
  typedProperties(job);
}

async function hypervisorLogin(job: JobRun): Promise<{ username: string; password: string }> {
  const { [SECRET_NAMES.username]: username, [SECRET_NAMES.password]: password } = secretsOf(job);
  if (username !== undefined && password !== undefined) return { username, password };
  const { target, stored } = requestOf(job.job.input);
  if (!stored) throw gone('The login of the hypervisor');
  return openJobLogin(job, stored, target, 'appliance-deployment', auditContext(job));
}

/** The login at the new appliance: what the OVF got for it, unless another one was typed. */
export function applianceLogin(job: JobRun, local_password_key: string | null): ApplianceCredential {
  const secrets = secretsOf(job);
  const { [SECRET_NAMES.appliance_username]: username, [SECRET_NAMES.appliance_password]: typed } = secrets;
  if (typed !== undefined) return { username: username || ADMIN, password: typed };
  const password = local_password_key === null ? undefined : secrets[SECRET_NAMES.property(local_password_key)];
  if (password !== undefined) return { username: ADMIN, password };
  const open = local_password_key === null ? undefined : requestOf(job.job.input).properties[local_password_key];
  if (open !== undefined) return { username: ADMIN, password: open };
  throw gone(`The password of ${ADMIN}${local_password_key === null ? '' : ` (${local_password_key})`}`);
}

/** For a goodbye, milliseconds. */
const LOGOUT_MS = 5000;

/** The login at the hypervisor of one run: made when it is needed, made again when it was lost. */
export class Hypervisor {
  readonly #job: JobRun;
  #open: { client: PinnedClient; session: VsphereSession } | null = null;

  constructor(job: JobRun) {
    this.#job = job;
  }

  get request(): DeploymentRequest {
    return requestOf(this.#job.job.input);
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** @throws Problem `remote_credential_gone`, `remote_login_refused`, `certificate_changed`, `remote_…` */
  async session(signal: AbortSignal = this.#job.signal): Promise<VsphereSession> {
    if (this.#open) return this.#open.session;
    const login = await hypervisorLogin(this.#job);
    const client = await clientFor(this.#job.services, this.request.target);
    try {
      const session = await openVsphere(client, login, { signal });
      this.#open = { client, session };
      await note(this.#job, { kind: session.kind });
      return session;
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** Sends a request; once again with a new login when the old one has ended. */
  async ask<T>(question: (session: VsphereSession) => Promise<T>): Promise<T> {
    const known = this.#open !== null;
    try {
      return await question(await this.session());
    } catch (error) {
      if (!known || !(error instanceof VsphereFault && error.reason === 'session_lost')) throw error;
      this.#drop();
      return question(await this.session());
    }
  }

  async close(): Promise<void> {
    const session = this.#open?.session;
    if (!session) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LOGOUT_MS);
    });
    await Promise.race([session.logout().catch(() => undefined), late]).finally(() => clearTimeout(timer));
    this.#drop();
  }

  #drop(): void {
    this.#open?.client.close();
    this.#open = null;
  }
}
