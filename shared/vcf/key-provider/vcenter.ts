// The login at the vCenter of one run of the job. A login that ended meanwhile is made again once, with the same credential.
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { clientFor } from '../connection/reach.ts';
import { typedLogin } from '../remote/login-fields.ts';
import { openJobLogin } from '../remote/stored-login.ts';
import type { ApplianceCredential } from '../vcf-api/session.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { type KeyManager, keyManagerOf } from '../vsphere/key-providers.ts';
import { openVsphere } from '../vsphere/session.ts';
import { inputOf, keptIn } from './input.ts';
import { KEY_PROVIDER_TASK } from './task.ts';

/** For a goodbye, milliseconds. */
const LOGOUT_MS = 5000;

export interface Vcenter {
  /** `manager` is of the session in use. */
  ask<T>(question: (manager: KeyManager) => Promise<T>): Promise<T>;
  title: string;
  close(): Promise<void>;
}

/** @throws Problem 409 `remote_credential_gone`, `remote_login_refused`, `certificate_changed`, `remote_…` */
export async function openVcenter(job: JobRun): Promise<Vcenter> {
  const login = await credentialOf(job);
  const client = await clientFor(job.services, inputOf(job).target);
  try {
    const { signal } = job;
    const session = await openVsphere(client, login, { signal });
    const goodbye = async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LOGOUT_MS).unref());
      await Promise.race([session.logout().catch(() => undefined), late]);
    };
    const manager = await keyManagerOf(session, signal).catch(async (error) => {
      await goodbye();
      throw error;
    });
    const { name, version } = session.about;
    return {
      title: `${name} ${version}`,
      async ask(question) {
        try {
          return await question(manager);
        } catch (error) {
          if (!(error instanceof VsphereFault && error.reason === 'session_lost')) throw error;
          await session.renew(login);
          return question(manager);
        }
      },
      async close() {
        await goodbye();
        client.close();
      },
    };
  } catch (error) {
    client.close();
    throw error;
  }
}

/** The login typed for this job; else the stored credential, whose use is recorded. */
async function credentialOf(job: JobRun): Promise<ApplianceCredential> {
  const typed = typedLogin(job);
  if (typed) return typed;
  const { target, stored } = inputOf(job);
  if (stored) return openJobLogin(job, stored, target, KEY_PROVIDER_TASK.purpose);
  const begun = keptIn(job.kept).registering ? 'what was done stays done' : 'nothing was changed on it so far';
  throw new Problem(
    'remote_credential_gone',
    `The typed password of the vCenter was kept in memory only: the service was restarted, or half an hour went by. Enter the login again to continue; ${begun}.`,
  );
}
