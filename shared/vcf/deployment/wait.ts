// From the switch to an appliance that answers: it is ready when its API names its role. Its certificate may change
// while it starts, so the pinned certificate is checked again after that.

import { parseAddress } from '../../ground/addresses/address.ts';
import { millisecondsLeft } from '../../ground/clock.ts';
import { deadlineIn } from '../../ground/machine/uptime.ts';
import { type ErrorCode, Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { pinnedClient } from '../connection/pinned-client.ts';
import { loadTargetPolicy } from '../connection/policy-store.ts';
import { serverText } from '../connection/target.ts';
import { permittedAddress } from '../connection/target-policy.ts';
import { probeTls } from '../connection/tls-probe.ts';
import type { TrustedTarget } from '../connection/trust.ts';
import { type Appliance, ROLE_TITLES } from '../vcf-api/appliance.ts';
import { detectAppliance } from '../vcf-api/detect.ts';
import { ApplianceFault } from '../vcf-api/fault.ts';
import { login } from '../vcf-api/session.ts';
import { anonymously } from '../vcf-api/transport.ts';
import { machineFacts } from '../vsphere/machine.ts';
import type { Addressing } from './addressing.ts';
import { applianceLogin, type Hypervisor, hasLogin } from './login.ts';
import { endNoted, type FoundAppliance, note, notesOf } from './notes.ts';
import { deploymentShell } from './shell.ts';
import { begin, checkpoint, done, safePoint } from './tasks.ts';

interface Waiting {
  job: JobRun;
  hypervisor: Hypervisor;
  addressing: Addressing;
}

/** Between two looks at the machine from outside, milliseconds. */
const OUTSIDE_MS = 60_000;
/** Different lines of progress, at most. */
const TOLD_MOST = 50;
/** Addresses of one guest that are used, at most. */
const GUEST_MOST = 8;
/** Milliseconds for one look at the appliance. */
const LOOK_MS = 15_000;
/** Faults that a machine shows while it starts. */
const STARTING: readonly ErrorCode[] = [
  ...(['remote_unreachable', 'remote_timeout', 'remote_not_tls', 'remote_tls_too_old'] as const),
  ...(['remote_name_unknown', 'certificate_changed', 'remote_answer_unusable', 'remote_not_ready'] as const),
];

export async function waitForAppliance(waiting: Waiting): Promise<FoundAppliance> {
  const { job } = waiting;
  const known = notesOf(job).appliance;
  if (known) {
    await endNoted(job, 'wait', `${answersText(known)} Its certificate is pinned: SHA-256 ${known.sha256}.`);
    return known;
  }
  const shell = deploymentShell(job.services);
  await begin(job, 'wait');
  const since = notesOf(job).waiting_since ?? job.services.clock.now().toISOString();
  await note(job, { waiting_since: since });
  const left = millisecondsLeft(Date.parse(since), job.services.clock.now(), shell.wait_seconds * 1000);
  const over = deadlineIn(job.services, left);
  const told = new Told(job);
  const outside = new Outside(waiting);
  for (;;) {
    await safePoint(job);
    const where = await outside.addresses(told);
    for (const { address, host } of where) {
      const found = await look(waiting, { host, port: shell.appliance_port, address }, told);
      if (!found) continue;
      await note(job, { appliance: found, waiting_since: null });
      await checkpoint(job, 'ready');
      await job.say('wait', `Its certificate has SHA-256 ${found.sha256}, and is pinned from here on.`);
      await done(job, 'wait', answersText(found));
      return found;
    }
    if (where.length === 0) await told.once('It has no address yet that is known here.');
    if (over()) {
      // When the job is continued, the full time begins again.
      await note(job, { waiting_since: null });
      throw tooLong(shell.wait_seconds, told.last);
    }
    await job.sleep(shell.look_ms);
  }
}

const answersText = (found: FoundAppliance): string =>
  `${found.role} ${found.version} answers at ${serverText(found)}.`;

function tooLong(seconds: number, last: string): Problem {
  const minutes = Math.round(seconds / 60);
  return new Problem(
    'remote_timeout',
    `The API of the appliance did not answer within ${minutes} minutes. Last seen: ${last} Look at the console of the machine and at its name, address and passwords.`,
  );
}

/** Writes a line for each thing that is seen, the first time: while it starts, the same few come and go for an hour. */
class Told {
  readonly #job: JobRun;
  readonly #told = new Set<string>();
  last = 'nothing.';

  constructor(job: JobRun) {
    this.#job = job;
  }

  async once(text: string): Promise<void> {
    this.last = text;
    if (this.#told.has(text) || this.#told.size >= TOLD_MOST) return;
    this.#told.add(text);
    await this.#job.say('wait', text);
  }
}

/** The machine from outside: whether it still exists, and its addresses where no property has them. */
class Outside {
  readonly #waiting: Waiting;
  #looked = Number.NEGATIVE_INFINITY;
  #guest: string[] = [];

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  async addresses(told: Told): Promise<{ host: string; address: string }[]> {
    const { addressing } = this.#waiting;
    const fixed = addressing.addresses.map(({ address }) => address);
    if (fixed.length === 0 || hasLogin(this.#waiting.job)) await this.#look(told, fixed.length > 0);
    const all = fixed.length > 0 ? fixed : this.#guest;
    return all.map((address) => ({ host: addressing.fqdn ?? address, address }));
  }

  async #look(told: Told, optional: boolean): Promise<void> {
    const every = Math.min(OUTSIDE_MS, deploymentShell(this.#waiting.job.services).look_ms * 6);
    if (performance.now() - this.#looked < every) return;
    this.#looked = performance.now();
    const { job, hypervisor } = this.#waiting;
    const { machine } = notesOf(job);
    const facts = await hypervisor
      .ask((session) => machineFacts(session, machine!, { signal: job.signal }))
      .catch((error: unknown) => {
        job.signal.throwIfAborted();
        if (!(error instanceof Problem)) throw error;
        // Without a fixed address only the guest itself reports one.
        if (!optional && !STARTING.includes(error.code)) throw error;
        return undefined;
      });
    if (facts === undefined) return;
    if (facts === null) throw new Problem('remote_refused', 'The virtual machine does not exist any more.');
    if (facts.power === 'off') await told.once('The virtual machine is switched off. Switch it on there.');
    const seen = facts.guest_addresses.flatMap((text) => {
      const address = parseAddress(text);
      return address && !/^(?:fe80:|127\.|::1$)/.test(address.text) ? [address.text] : [];
    });
    this.#guest = seen.slice(0, GUEST_MOST);
  }
}

async function look(waiting: Waiting, at: { host: string; port: number; address: string }, told: Told) {
  try {
    return await lookOnce(waiting, at, told);
  } catch (error) {
    waiting.job.signal.throwIfAborted();
    if (!(error instanceof Problem) || !isStarting(error)) throw error;
    await told.once(error.message);
    return null;
  }
}

/** A web server answers anything before the API is there; a release that is not known stays one. */
const isStarting = (error: Problem): boolean =>
  STARTING.includes(error.code) || (error instanceof ApplianceFault && error.reason === 'not_an_appliance');

async function lookOnce(
  waiting: Waiting,
  at: { host: string; port: number; address: string },
  told: Told,
): Promise<FoundAppliance | null> {
  const { services, signal: stop } = waiting.job;
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LOOK_MS)]);
  const { host, port, address } = at;
  permittedAddress({ host, port }, address, await loadTargetPolicy(services.store, services));
  const certificate = () => probeTls(address, { host, port }, { now: services.clock.now(), signal });
  try {
    const { sha256 } = await certificate();
    const seen = await detected(waiting, { host, port, address, sha256 }, signal);
    if (typeof seen === 'string') {
      await told.once(seen);
      return null;
    }
    // Nothing that was seen while it started is trusted.
    if ((await certificate()).sha256 !== sha256) {
      await told.once('It has just changed its certificate.');
      return null;
    }
    const { role, version } = seen;
    return { role: ROLE_TITLES[role], version: version.text, host, port, address, sha256 };
  } catch (error) {
    stop.throwIfAborted();
    if (!signal.aborted) throw error;
    throw new Problem('remote_timeout', 'It takes connections, but does not answer in time.');
  }
}

async function detected(
  { job, addressing }: Waiting,
  trusted: TrustedTarget,
  signal: AbortSignal,
): Promise<Appliance | string> {
  const client = pinnedClient({ ...trusted, timeout: LOOK_MS });
  try {
    const seen = await detectAppliance(anonymously(client), signal);
    if (seen.state === 'ready') return seen.appliance;
    if (seen.state === 'starting') return seen.detail;
    await note(job, { login_needed: true });
    const session = await login(client, applianceLogin(job, addressing.local_password_key), { signal });
    try {
      const inside = await detectAppliance(session, signal);
      return inside.state === 'ready' ? inside.appliance : 'It does not tell its role yet.';
    } finally {
      await session.logout(signal);
    }
  } finally {
    client.close();
  }
}
