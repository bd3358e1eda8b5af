// What the job does at VCF Automation, step by step. Whatever changes something is noted before it is asked for, so that a
// continued job does nothing twice and a failed one knows what to take back.
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { trust, trustedId } from '../automation-api/certificates.ts';
import { importedGroup, importGroup, listRoles, saveGroup } from '../automation-api/groups.ts';
import {
  type DirectoryWish,
  isOurs,
  readLdap,
  searchLdap,
  settingsMark,
  testLdap,
  writeLdap,
  writtenModel,
} from '../automation-api/ldap.ts';
import { type AutomationSession, openAutomation } from '../automation-api/session.ts';
import type { PinnedClient } from '../connection/pinned-client.ts';
import { forget, inputOf, keep, keptIn, type TaskName } from './input.ts';
import type { DirectoryHere } from './local.ts';
import type { DirectoryPasswords } from './passwords.ts';

export interface Scene {
  job: JobRun;
  client: PinnedClient;
  session: AutomationSession;
  here: DirectoryHere;
  wish: DirectoryWish;
  passwords: DirectoryPasswords;
}

export async function begin(job: JobRun, name: TaskName): Promise<void> {
  job.stopIfFenced();
  await job.stopIfAsked();
  await job.startTask(name);
  await job.services.checkpoint?.(`automation-ldap.${name}`);
}

export async function end(job: JobRun, name: TaskName, text: string): Promise<void> {
  await job.say(name, text, { ok: true });
  await job.endTask(name, 'succeeded');
}

/** Between a note and what it is about, where a process may end. */
const noted = async ({ services }: JobRun, name: string): Promise<void> =>
  services.checkpoint?.(`automation-ldap.${name}`);

/** Nothing was confirmed for other settings than these. @throws Problem 409 `state_conflict` */
export async function readThere({ job, session, wish }: Scene): Promise<void> {
  await begin(job, 'read');
  const { mark, role, organization } = inputOf(job);
  if (session.organization.id !== organization.id)
    throw changed(`The login belongs to the organization ${session.organization.name}, not to ${organization.name}.`);
  const now = await readLdap(session, job.signal);
  const { writing, written } = keptIn(job.kept);
  const ours = writing !== undefined && isOurs(now, wish);
  if (!ours && settingsMark(now) !== mark) {
    // What somebody else set meanwhile is left alone.
    if (writing) await forget(job, 'writing', 'written');
    throw changed('Its LDAP settings are other ones than the review showed.');
  }
  const roles = await listRoles(session, job.signal);
  if (!roles.some(({ id }) => id === role.id)) throw changed(`It has no role ${role.name} any more.`);
  await end(
    job,
    'read',
    ours || written ? 'It has the settings of this job already.' : 'Its settings are those that were reviewed.',
  );
}

const changed = (what: string): Problem => new Problem('state_conflict', `${what} Go through the steps again.`);

export async function trustRoot({ job, session, here }: Scene): Promise<void> {
  await begin(job, 'trust');
  const { pem, sha256 } = here.root;
  if (await trustedId(session, sha256, job.signal)) return end(job, 'trust', 'It trusts our root certificate already.');
  await keep(job, { trusting: true });
  await noted(job, 'trusting');
  await trust(session, `Groundcrew root ${sha256.slice(0, 11)}`, pem, job.signal);
  await end(job, 'trust', `It trusts our root certificate: ${sha256}.`);
}

/** Before anything is set. @throws Problem 409 `remote_refused` with what the product could not do */
export async function testThere({ job, session, wish, passwords }: Scene): Promise<void> {
  await begin(job, 'test');
  const { user, server } = inputOf(job);
  const about = { wish, password: passwords.bind_password, user };
  const { connected, failed } = await testLdap(session, about, job.signal);
  const place = `${server.host}:${server.port}`;
  if (!connected)
    throw new Problem(
      'remote_refused',
      `VCF Automation can’t sign in to the directory at ${place}. Check that it resolves that name, reaches that address, and that no firewall blocks it.`,
    );
  if (failed.length > 0)
    throw new Problem(
      'remote_refused',
      `VCF Automation reaches the directory, and can’t read ${failed.join(', ')} of ${user}. Look at that user’s entry.`,
    );
  await end(job, 'test', `It signs in at ${place}, and reads ${user}.`);
}

export async function writeThere({ job, session, wish, passwords }: Scene): Promise<void> {
  await begin(job, 'write');
  const { mark } = inputOf(job);
  if (!keptIn(job.kept).writing) {
    const before = await readLdap(session, job.signal);
    if (settingsMark(before) !== mark) throw changed('Its LDAP settings were changed by somebody else meanwhile.');
    await keep(job, { writing: before });
  }
  await noted(job, 'writing');
  await writeLdap(session, writtenModel(wish, passwords.bind_password), job.signal);
  await keep(job, { written: true });
  if (!isOurs(await readLdap(session, job.signal), wish))
    throw new Problem('remote_refused', 'VCF Automation took the LDAP settings, and shows other ones.');
  await end(job, 'write', 'It has the LDAP settings of this directory.');
}

/** @throws Problem 409 `remote_refused` */
export async function verifyThere({ job, session }: Scene): Promise<void> {
  await begin(job, 'verify');
  const { user, group } = inputOf(job);
  for (const [kind, name] of [
    ['user', user],
    ['group', group],
  ] as const) {
    if (!(await searchLdap(session, kind, name, job.signal)))
      throw new Problem(
        'remote_refused',
        `VCF Automation has the settings, and does not find the ${kind} ${name} with them.`,
      );
  }
  await end(job, 'verify', `It finds the user ${user} and the group ${group}.`);
}

export async function giveRole({ job, session }: Scene): Promise<void> {
  await begin(job, 'roles');
  const { group, role } = inputOf(job);
  const known = await importedGroup(session, group, job.signal);
  const roles = known?.roleEntityRefs ?? [];
  if (known && roles.some(({ id }) => id === role.id)) return end(job, 'roles', `${group} has the role ${role.name}.`);
  await keep(job, { group: { before: known } });
  await noted(job, 'importing');
  if (known) {
    // The name in the directory is wanted here, unlike at the import.
    const found = await searchLdap(session, 'group', group, job.signal);
    const name_in_source = found?.name_in_source || known.nameInSource;
    await saveGroup(
      session,
      { ...known, nameInSource: name_in_source, roleEntityRefs: [...roles, { ...role }] },
      job.signal,
    );
  } else await importGroup(session, group, [role], job.signal);
  await end(job, 'roles', `${group} ${known ? 'has the role' : 'is imported with the role'} ${role.name}.`);
}

/** The only real proof. That session is ended at once. @throws Problem 409 `remote_refused` */
export async function proveThere({ job, client, session, passwords }: Scene): Promise<void> {
  await begin(job, 'prove');
  if (keptIn(job.kept).done) return end(job, 'prove', 'The user signed in before this job was interrupted.');
  const { user } = inputOf(job);
  const login = { username: `${user}@${session.organization.name}`, password: passwords.user_password };
  const theirs = await openAutomation(client, login, job.signal).catch((error) => {
    if (!(error instanceof Problem && error.code === 'remote_login_refused')) throw error;
    throw new Problem(
      'remote_refused',
      `VCF Automation does not let ${user} sign in, who is in the directory with this password.`,
    );
  });
  await theirs.close(job.signal);
  await keep(job, { done: true });
  await end(job, 'prove', `${theirs.user} signed in with the password of the directory.`);
}
