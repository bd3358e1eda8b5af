// The deployment of an SDDC Manager as a durable job. A failure before the import is complete rolls everything back;
// later the machine stays, and the job reports its state. A restart continues with the first step that was not done.

import { instant } from '../../ground/clock.ts';
import { indexOva } from '../../ground/ova/index-ova.ts';
import { signatureWords } from '../../ground/ova/signature.ts';
import type { OvaPackage } from '../../ground/ova/types.ts';
import { verifyOva } from '../../ground/ova/verify-ova.ts';
import { Problem } from '../../ground/problems.ts';
import { releaseLocks, takeLock } from '../../kernel/access/mutation-lock.ts';
import { appendAudit } from '../../kernel/audit/audit.ts';
import type { JobKind } from '../../kernel/jobs/kind.ts';
import { type JobRun, Left } from '../../kernel/jobs/run.ts';
import { jobSecrets } from '../../kernel/jobs/secrets.ts';
import { appliancePath } from '../../services/offline-depot/appliances/appliances.ts';
import { serverText } from '../connection/target.ts';
import { clearUp, giveUp } from './clear-up.ts';
import { CONTINUES_AFTER, continues } from './continues.ts';
import { furnish, saveName } from './extras.ts';
import { beginLease, describeImport, sendDisks } from './import-machine.ts';
import { addressingIn, type LaterDescriptor } from './kept-descriptor.ts';
import { auditContext, Hypervisor, requireTyped } from './login.ts';
import { endNoted, machineText, note, notesOf, requestOf, warningsOf } from './notes.ts';
import { deploymentWords, lockOfName } from './queue.ts';
import { digestOfPackage } from './request.ts';
import { clearEnvironment, ENVIRONMENT_KEY, giveEnvironment, switchOn } from './switch-on.ts';
import { begin, checkpoint, DEPLOY_KIND, done, skip } from './tasks.ts';
import { endState } from './view.ts';
import { waitForAppliance } from './wait.ts';
import { deploymentHref } from './wizard-task.ts';

export const deployJob: JobKind = {
  kind: DEPLOY_KIND,
  says: deploymentWords,
  page: ({ id }) => ({ href: deploymentHref(id), label: 'Deployment' }),
  lane: 'remote',
  stops: 'write:depot',
  putsBack: true,
  keepsSucceeded: true,
  continuesAfter: CONTINUES_AFTER,
  continues,
  continuedInput: (input) => ({ ...input, stored: null, retyped: true }),
  async run(job) {
    const hypervisor = new Hypervisor(job);
    try {
      return await deploy(job, hypervisor);
    } catch (error) {
      throw await truthful(job, hypervisor, error);
    } finally {
      await hypervisor.close();
    }
  },
  async ended(job, outcome) {
    jobSecrets(job.services).drop(job.id);
    const tx = job.transaction!;
    await releaseLocks(tx, job.id);
    const { target, name, ova, place } = requestOf(job.job.input);
    const { machine } = notesOf(job);
    await appendAudit(
      tx,
      job.services.keys,
      auditContext(job),
      {
        action: 'vcf-helper.deployment.end',
        resource_type: 'job',
        resource_id: job.id,
        outcome: outcome === 'succeeded' ? 'success' : 'failure',
        detail: {
          ...{ server: serverText(target), name, place, ova: ova.file },
          ...{ machine: machine ?? null, ended: outcome },
        },
      },
      { holdsLock: true },
    );
  },
};

async function deploy(job: JobRun, hypervisor: Hypervisor): Promise<unknown> {
  const request = requestOf(job.job.input);
  await job.services.store.write((tx) => takeLock(tx, lockOfName(request), job.id, instant(job.services.clock.now())));
  await clearUp({ job, hypervisor });
  job.stopIfSpent();
  if (notesOf(job).machine === undefined) {
    requireTyped(job);
    const importing = { job, hypervisor, pkg: await soundPackage(job) };
    const spec = await describeImport(importing);
    await sendDisks(importing, spec, await beginLease(importing, spec));
  } else await endImport(job);
  const descriptor = await descriptorFor(job);
  const addressing = addressingIn(descriptor, request);
  await giveEnvironment({ job, hypervisor }, descriptor);
  const runs = await switchOn({ job, hypervisor });
  const appliance = runs ? await waitForAppliance({ job, hypervisor, addressing }) : null;
  if (runs) await clearEnvironment({ job, hypervisor });
  else await leaveOff(job);
  await hypervisor.close();
  await saveName(job, addressing);
  await furnish(job, addressing, appliance);
  return resultOf(job, runs);
}

/** Of a machine that a run before this one made, or that was found: nothing of its import is left to do. */
async function endImport(job: JobRun): Promise<void> {
  for (const name of ['verify', 'spec', 'lease', 'upload'] as const) await endNoted(job, name, null);
  await endNoted(job, 'complete', `The import is complete: ${requestOf(job.job.input).name} exists.`);
}

async function leaveOff(job: JobRun): Promise<void> {
  await skip(job, 'wait', 'The machine stays switched off.');
  const given = notesOf(job).environment === 'set';
  await skip(job, 'clear', given ? LEFT_THERE : 'None were put there.');
}

const LEFT_THERE = `They stay there for its first start, passwords among them: remove ${ENVIRONMENT_KEY} from its advanced settings after that.`;

/** The result of the job; of properties only the keys. */
function resultOf(job: JobRun, runs: boolean) {
  const { name, place, target, properties, secret_properties } = requestOf(job.job.input);
  const { machine, appliance = null, dns = null, trust = null, depot = null } = notesOf(job);
  const warnings = warningsOf(notesOf(job));
  return {
    state: endState(runs, warnings),
    server: serverText(target),
    machine: { id: machine, name, place, power: runs ? 'on' : 'off' },
    appliance,
    ...{ dns, trust, depot, warnings },
    property_keys: [...Object.keys(properties), ...secret_properties],
  };
}

/** The whole file against its manifest, once; afterwards only that it is still the same. */
async function soundPackage(job: JobRun): Promise<OvaPackage> {
  const { ova } = requestOf(job.job.input);
  const { verified, machine } = notesOf(job);
  const path = await appliancePath(job.services, ova.file);
  if (verified || machine !== undefined) {
    const pkg = await indexOva(path, job.signal);
    const same = machine !== undefined || (pkg.size === verified!.size && pkg.mtime_ms === verified!.mtime_ms);
    if (same && digestOfPackage(pkg) === ova.digest) {
      await endNoted(job, 'verify', soundText(pkg));
      return pkg;
    }
  }
  await begin(job, 'verify');
  const pkg = await verifyOva(path, {
    signal: job.signal,
    onProgress: (done_bytes, total_bytes) =>
      void job.progress('verify', { done_bytes, total_bytes }).catch(() => undefined),
  });
  if (digestOfPackage(pkg) !== ova.digest) {
    throw new Problem('ova_refused', `${ova.file} is another file than the one that was reviewed. Deploy it anew.`);
  }
  await note(job, { verified: { size: pkg.size, mtime_ms: pkg.mtime_ms } });
  await checkpoint(job, 'verified');
  await done(job, 'verify', soundText(pkg));
  return pkg;
}

const soundText = ({ members, signature }: OvaPackage): string =>
  `${members.length} members, all as the manifest names them; it is ${signatureWords(signature)}.`;

/** As it was kept when the import was complete; the file only where that is not enough. */
async function descriptorFor(job: JobRun): Promise<LaterDescriptor> {
  const { descriptor, kind, environment } = notesOf(job);
  const given = kind !== 'esxi' || environment === 'set' || environment === 'cleared';
  if (descriptor && (given || descriptor.whole)) return descriptor;
  return (await soundPackage(job)).descriptor;
}

/** The error, with what is left at the target: nothing, perhaps an open import, or a machine. */
async function truthful(job: JobRun, hypervisor: Hypervisor, error: unknown): Promise<unknown> {
  if (job.fenced) return error;
  if (notesOf(job).machine === undefined) return giveUp({ job, hypervisor }, error).catch(() => error);
  const said = machineText(requestOf(job.job.input), notesOf(job));
  if (error instanceof Problem) return new Problem(error.code, `${error.message} ${said}`, error.members);
  // Nothing else would say it of one that was given up. One that is left goes on at the next start.
  if (!(error instanceof Left)) await job.say('complete', said);
  return error;
}
