// What a deployment does with the new appliance, where it was chosen: its records, the root that it trusts, its depot.

import { instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { takeLock } from '../../kernel/access/mutation-lock.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { rootCertificate } from '../../platform/certificate-authority/authority.ts';
import { depotAvailability } from '../../services/offline-depot/serving/availability.ts';
import { visitAppliance } from '../remote/appliance-visit.ts';
import { depotLock } from '../remote-depot/input.ts';
import { requireRetyped } from '../remote-depot/local.ts';
import { depotSteps, isDepotSet } from '../remote-depot/steps.ts';
import type { Appliance } from '../vcf-api/appliance.ts';
import type { ApplianceSession } from '../vcf-api/session.ts';
import { isTrusted, trustCertificate } from '../vcf-api/trusted-certificates.ts';
import type { Addressing } from './addressing.ts';
import { applianceLogin, gone, secretsOf } from './login.ts';
import { type SavedRecords, savedWords, saveRecords } from './name-records.ts';
import { endNoted, type FoundAppliance, note, notesOf, requestOf } from './notes.ts';
import { SECRET_NAMES } from './request.ts';
import { begin, checkpoint, done, skip } from './tasks.ts';

const NOT_CHOSEN = 'Not chosen.';
const ASLEEP = 'The machine stays switched off.';
/** Between two tries while an apply owns everything, milliseconds, and how often. */
const LOCKED_MS = 5000;
const LOCKED_TRIES = 120;
/** Seconds for all that is done with the depot. */
const DEPOT_SECONDS = 75 * 60;

/** A record that can't be saved is no reason to fail: the machine is there. */
export async function saveName(job: JobRun, addressing: Addressing): Promise<void> {
  const { dns, dns_saved, dns_whole = dns_saved ?? false } = notesOf(job);
  if (dns !== undefined) {
    // A version before this one wrote down only what it said, which the log has; a task that succeeded has stayed so.
    if (dns_saved === undefined) return endNoted(job, 'dns', null, false);
    return endNoted(job, 'dns', dns, dns_saved, factsOf({ saved: dns_saved, whole: dns_whole }));
  }
  if (!requestOf(job.job.input).extras.dns) return skip(job, 'dns', NOT_CHOSEN);
  await begin(job, 'dns');
  const said = await savedRecords(job, addressing);
  await note(job, { dns: said.text, dns_saved: said.saved, dns_whole: said.whole });
  await checkpoint(job, 'dns-saved');
  await job.say('dns', said.text, factsOf(said));
  await job.endTask('dns', said.saved ? 'succeeded' : 'skipped');
}

/** Done, not done, or done with something left to look at. */
const factsOf = ({ saved, whole }: Pick<SavedRecords, 'saved' | 'whole'>) =>
  saved && !whole ? { warning: true } : { ok: saved };

async function savedRecords(job: JobRun, addressing: Addressing): Promise<SavedRecords> {
  for (let attempt = 1; ; attempt++) {
    try {
      return savedWords(await saveRecords(job, addressing));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const failed = (text: string): SavedRecords => ({ text, saved: false, whole: false });
      if (error.code !== 'mutation_locked') return failed(`${error.message} Nothing was saved.`);
      if (attempt >= LOCKED_TRIES) return failed('An apply is under way since long: save them by hand.');
      await job.sleep(LOCKED_MS);
    }
  }
}

/** Has the appliance trust our root, then use our depot: both with one login each, over the certificate that was pinned. */
export async function furnish(job: JobRun, addressing: Addressing, appliance: FoundAppliance | null): Promise<void> {
  const { extras } = requestOf(job.job.input);
  for (const [name, wanted] of [
    ['trust', extras.trust],
    ['depot', extras.depot],
  ] as const) {
    const why = wanted ? ASLEEP : NOT_CHOSEN;
    if (wanted && appliance) continue;
    await skip(job, name, why);
    if (name === 'depot') await skip(job, 'sync', why);
  }
  if (!appliance) return;
  const { trust: trusted } = notesOf(job);
  if (extras.trust && trusted === undefined) await trust(job, addressing, appliance);
  else if (trusted !== undefined) await endNoted(job, 'trust', trusted);
  if (extras.depot && notesOf(job).depot === undefined) await useDepot(job, addressing, appliance);
}

async function trust(job: JobRun, addressing: Addressing, found: FoundAppliance): Promise<void> {
  await begin(job, 'trust');
  const root = await rootCertificate(job.services.store);
  if (!root)
    throw new Problem('certificate_authority_missing', 'The certificate authority has no root certificate yet.');
  const outcome = await visit(job, addressing, found, 120, async (session, _appliance, signal) => {
    if (await isTrusted(session, root.sha256, signal)) return 'It trusts the root certificate already.';
    await trustCertificate(session, root.pem, signal);
    if (await isTrusted(session, root.sha256, signal)) return `It lists the root certificate, SHA-256 ${root.sha256}.`;
    throw new Problem(
      'remote_refused',
      'The appliance took the root certificate, but does not list it. Run the task Certificate trust for it.',
    );
  });
  await note(job, { trust: outcome });
  await checkpoint(job, 'trusted');
  await done(job, 'trust', outcome);
}

async function useDepot(job: JobRun, addressing: Addressing, found: FoundAppliance): Promise<void> {
  const set = isDepotSet(job.kept);
  // What is left is the synchronisation, and stops as that.
  if (set) await endNoted(job, 'depot', null);
  await begin(job, set ? 'sync' : 'depot');
  const { missing, endpoint } = await depotAvailability(job.services);
  if (!endpoint) throw new Problem('depot_unavailable', missing.map(({ text }) => text).join(' '));
  const password = secretsOf(job)[SECRET_NAMES.depot_password] ?? null;
  if (password === null && !set) throw gone(`The password of ${endpoint.username}, who reads the depot,`);
  const { services, id } = job;
  const { retyped } = requestOf(job.job.input);
  if (password !== null && retyped && !set) await requireRetyped(services, endpoint.username, password);
  // A configuration of its depot may be under way that somebody queued by hand.
  await services.store.write((tx) => takeLock(tx, depotLock(found), id, instant(services.clock.now())));
  const work = { endpoint, password, replace: true };
  const { outcome } = await visit(job, addressing, found, DEPOT_SECONDS, (session, appliance, signal) =>
    depotSteps(job, session, appliance, work, signal),
  );
  await note(job, { depot: outcome });
}

function visit<T>(
  job: JobRun,
  { local_password_key }: Addressing,
  { host, port, address, sha256 }: FoundAppliance,
  seconds: number,
  work: (session: ApplianceSession, appliance: Appliance, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const credential = async () => applianceLogin(job, local_password_key);
  return visitAppliance(
    job.services,
    { host, port, address, sha256 },
    { credential, signal: job.signal, seconds, renews: true },
    work,
  );
}
