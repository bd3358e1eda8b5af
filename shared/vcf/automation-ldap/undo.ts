// Taking back what a failed job did at VCF Automation, the last thing first: the role, the settings, the trust.
import { Problem } from '../../ground/problems.ts';
import { Cancelled, type JobRun } from '../../kernel/jobs/run.ts';
import { distrust, trustedId } from '../automation-api/certificates.ts';
import { importedGroup, removeGroup, saveGroup } from '../automation-api/groups.ts';
import { isSet, readLdap, settingsMark, writeLdap } from '../automation-api/ldap.ts';
import type { AutomationSession } from '../automation-api/session.ts';
import { forget, inputOf, type Kept, keptIn } from './input.ts';

/** For all of it, milliseconds. */
const MOST_MS = 120_000;

const isHalf = ({ trusting, writing, group, done }: Kept): boolean => !done && (!!trusting || !!writing || !!group);

/** The error with what stays, of a run that could not even log in. */
export function withRemains(job: JobRun, error: unknown): unknown {
  if (!isHalf(keptIn(job.kept))) return error;
  return added(error, `What was done before stays so far: ${remains(job)}.`);
}

/** Takes back; answers the error with what came of that. @throws nothing */
export async function undone(job: JobRun, session: AutomationSession, error: unknown): Promise<unknown> {
  const kept = keptIn(job.kept);
  if (!isHalf(kept)) return error;
  const signal = AbortSignal.timeout(MOST_MS);
  try {
    if (kept.group) await groupBack(job, session, kept.group, signal);
    const written = kept.writing !== undefined && (await settingsBack(job, session, kept.writing, signal));
    if (kept.trusting) await trustBack(job, session, signal);
    await job.keep({ automation_ldap: {} });
    if (written) return added(error, SETTINGS_BACK);
    return error instanceof Cancelled ? error : added(error, 'All that was done there was taken back.');
  } catch (failure) {
    const message = failure instanceof Problem ? failure.message : 'Its cause is in the log.';
    job.services.logger.error('LDAP settings of VCF Automation could not be taken back', { failure: { message } });
    return added(error, `It could not be taken back, and stays: ${remains(job)}. Put it right there. ${message}`);
  }
}

const SETTINGS_BACK =
  'The settings that it had before are back. Their password could not be read, and is not among what was written: if nobody signs in with them, enter it there.';

async function groupBack(
  job: JobRun,
  session: AutomationSession,
  { before }: NonNullable<Kept['group']>,
  signal: AbortSignal,
): Promise<void> {
  const now = await importedGroup(session, inputOf(job).group, signal);
  if (before && now) await saveGroup(session, before, signal);
  else if (now) await removeGroup(session, now.id, signal);
  await forget(job, 'group');
}

/**
 * Whether settings that name a directory were written back. Those that are not ours are left alone: ours never came there, or
 * somebody changed them meanwhile.
 */
async function settingsBack(
  job: JobRun,
  session: AutomationSession,
  before: NonNullable<Kept['writing']>,
  signal: AbortSignal,
): Promise<boolean> {
  const { server } = inputOf(job);
  const now = await readLdap(session, signal);
  const there = now.definedSettings?.hostName === server.host && now.definedSettings.port === server.port;
  const changed = there && settingsMark(now) !== settingsMark(before);
  if (changed) await writeLdap(session, before, signal);
  await forget(job, 'writing', 'written');
  return changed && isSet(before);
}

async function trustBack(job: JobRun, session: AutomationSession, signal: AbortSignal): Promise<void> {
  const id = await trustedId(session, inputOf(job).root_sha256, signal);
  if (id !== null) await distrust(session, id, signal);
  await forget(job, 'trusting');
}

function remains(job: JobRun): string {
  const { trusting, writing, group } = keptIn(job.kept);
  const { organization, group: name } = inputOf(job);
  const parts = [
    ...(group ? [`the role of the group ${name}`] : []),
    ...(writing ? [`the LDAP settings of the organization ${organization.name}`] : []),
    ...(trusting ? ['the trust in our root certificate'] : []),
  ];
  return parts.join(', ');
}

/** One that was stopped and leaves something is no plain stop: nobody would look for it. */
function added(error: unknown, words: string): unknown {
  if (error instanceof Cancelled) return new Problem('state_conflict', `It was stopped. ${words}`);
  if (!(error instanceof Problem)) return error;
  return new Problem(error.code, `${error.message} ${words}`);
}
