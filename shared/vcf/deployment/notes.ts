// What a deployment writes down to go on from: with it a run after a crash knows what to look for before it does
// anything.
import type { LogLine } from '../../kernel/jobs/job.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import type { KeptDescriptor } from './kept-descriptor.ts';
import type { DeploymentRequest } from './request.ts';
import type { TaskName } from './tasks.ts';

export interface Notes {
  /** The file whose bytes were all checked against its manifest. */
  verified?: { size: number; mtime_ms: number };
  /** `vcenter` or `esxi`, since the first login. */
  kind?: 'vcenter' | 'esxi';
  /** When the import was requested; null once its end is known. */
  importing?: string | null;
  /** Lease that is open at the target; null once it has ended. */
  lease?: string | null;
  /** After which it ends without a word. */
  lease_seconds?: number;
  /** The machine that the lease makes. */
  making?: string | null;
  /** When it was last seen alive by this service, in a run that could not end it. */
  given_up?: string | null;
  /** Completing the lease was requested: it may be complete. */
  completing?: boolean;
  /** What the steps after the import need of the OVF, whatever becomes of the file. */
  descriptor?: KeptDescriptor;
  /** The machine, since the import is complete: from then on nothing is taken back. */
  machine?: string;
  /** Properties in the settings of the machine: they may be there, are there, were taken out again. */
  environment?: 'setting' | 'set' | 'cleared';
  /** Switching it on was requested: it may run. */
  powering?: boolean;
  powered?: boolean;
  /** When the appliance began to be waited for. */
  waiting_since?: string | null;
  /** It shows nothing of itself without a login. */
  login_needed?: boolean;
  appliance?: FoundAppliance;
  dns?: string;
  /** Whether that was saved, or there already. */
  dns_saved?: boolean;
  /** Whether all records are as requested, so that only an apply is missing. */
  dns_whole?: boolean;
  trust?: string;
  depot?: string;
}

/** Nothing is open at the target. */
export const NO_IMPORT = { importing: null, lease: null, making: null, completing: false } as const;

export interface FoundAppliance {
  role: string;
  version: string;
  host: string;
  port: number;
  address: string;
  /** Seen after it was ready, and pinned from then on. */
  sha256: string;
}

export const notesOf = ({ kept }: { kept: Readonly<Record<string, unknown>> }): Notes => kept as Notes;

export const note = (job: JobRun, part: Notes): Promise<void> => job.keep({ ...part });

/** Ends a task whose outcome was written down by a run that was gone before the end of the task: nothing else would. */
export async function endNoted(
  job: JobRun,
  name: TaskName,
  said: string | null,
  succeeded = true,
  facts: Pick<LogLine, 'ok' | 'warning'> = { ok: succeeded },
): Promise<void> {
  const { state } = (await job.tasks()).find((task) => task.name === name)!;
  if (state === 'succeeded' || state === 'skipped') return;
  if (said !== null) await job.say(name, said, facts);
  await job.endTask(name, succeeded ? 'succeeded' : 'skipped');
}

export const requestOf = (input: Readonly<Record<string, unknown>>): DeploymentRequest =>
  input as unknown as DeploymentRequest;

/** `unknown`: whether the switch had an effect was not seen. */
export function powerOf({ powered, powering }: Notes): 'on' | 'off' | 'unknown' {
  if (powered) return 'on';
  return powering ? 'unknown' : 'off';
}

const POWER = { on: ', switched on', off: ', switched off', unknown: ' and may be switched on' } as const;

/** Extras that are not done, or not in force: a deployment with any did not fully succeed. */
export function warningsOf({ dns, dns_saved, dns_whole = dns_saved }: Notes): string[] {
  return dns !== undefined && dns_whole === false ? [dns] : [];
}

/** What is known of the machine, for people who read why the deployment stopped; empty before there is one. */
export function machineText({ name, place }: DeploymentRequest, notes: Notes): string {
  const { machine, environment } = notes;
  if (machine === undefined) return '';
  const open = environment === 'setting' || environment === 'set';
  const said = `The virtual machine ${name} exists on ${place}${POWER[powerOf(notes)]}; nothing of it was deleted.`;
  return open ? `${said} Its advanced settings still have the OVF properties, passwords among them.` : said;
}
