// A complete machine, up to its power: on a standalone host the OVF properties go into its settings first, and are read
// back. A vCenter hands them over by itself.

import { ovfEnvironment } from '../../ground/ova/environment.ts';
import { Problem } from '../../ground/problems.ts';
import type { JobRun } from '../../kernel/jobs/run.ts';
import { VsphereFault } from '../vsphere/fault.ts';
import { machineFacts, powerOn, readExtraConfig, setExtraConfig } from '../vsphere/machine.ts';
import type { LaterDescriptor } from './kept-descriptor.ts';
import { type Hypervisor, soundProperties } from './login.ts';
import { endNoted, note, notesOf, requestOf } from './notes.ts';
import { begin, checkpoint, done, skip } from './tasks.ts';

export const ENVIRONMENT_KEY = 'guestinfo.ovfEnv';
const GUEST_INFO = 'com.vmware.guestInfo';

interface Switching {
  job: JobRun;
  hypervisor: Hypervisor;
}

export async function giveEnvironment({ job, hypervisor }: Switching, descriptor: LaterDescriptor): Promise<void> {
  const { kind, environment: before, machine } = notesOf(job);
  if (before === 'set' || before === 'cleared') return endNoted(job, 'environment', 'They were read back: the same.');
  if (kind !== 'esxi') return skip(job, 'environment', 'vCenter hands them to the machine itself, at its start.');
  if (descriptor.properties.length === 0) return skip(job, 'environment', 'The OVF has no properties.');
  await begin(job, 'environment');
  if (!descriptor.transports.includes(GUEST_INFO)) {
    await job.say(
      'environment',
      `The OVF does not say that it reads ${ENVIRONMENT_KEY}; it gets them this way all the same.`,
    );
  }
  const { environment: values } = soundProperties(job, descriptor);
  await hypervisor.ask(async (session) => {
    const { name, version, vendor } = session.about;
    const about = { name, version, vendor };
    const text = ovfEnvironment({ machine_id: machine!, about, properties: values });
    // Whatever comes next: from here on they may be there.
    await note(job, { environment: 'setting' });
    await setExtraConfig(session, machine!, { [ENVIRONMENT_KEY]: text }, { signal: job.signal });
    await checkpoint(job, 'environment-set');
    const read = await readExtraConfig(session, machine!, [ENVIRONMENT_KEY], { signal: job.signal });
    if (read[ENVIRONMENT_KEY] !== text) {
      throw new Problem(
        'remote_refused',
        `The host does not show ${ENVIRONMENT_KEY} as it was set. Look at the advanced settings of the machine.`,
      );
    }
  });
  await note(job, { environment: 'set' });
  await checkpoint(job, 'given');
  await done(job, 'environment', `${values.length} properties, read back: the same.`);
}

/** After these the task may still be open, and end well. */
const OPEN: readonly VsphereFault['reason'][] = ['not_ready', 'unreadable', 'session_lost'];

/** Answers whether it runs. */
export async function switchOn({ job, hypervisor }: Switching): Promise<boolean> {
  const { machine, powered } = notesOf(job);
  if (powered) {
    await endNoted(job, 'power-on', RUNS);
    return true;
  }
  if (!requestOf(job.job.input).power_on) {
    await skip(job, 'power-on', 'As chosen: it stays switched off.');
    return false;
  }
  await begin(job, 'power-on');
  await hypervisor.ask(async (session) => {
    const onProgress = (percent: number) => void job.progress('power-on', { percent }).catch(() => undefined);
    // Whatever comes next: from here on it may run.
    await note(job, { powering: true });
    try {
      await powerOn(session, machine!, { signal: job.signal, onProgress });
    } catch (error) {
      // It was switched on before this job was interrupted, or by somebody.
      if (!(error instanceof VsphereFault)) throw error;
      const power = (await machineFacts(session, machine!, { signal: job.signal }))?.power;
      if (power === 'on') return;
      if (power === 'off' && !OPEN.includes(error.reason)) await note(job, { powering: false });
      throw error;
    }
  });
  await checkpoint(job, 'powered');
  await note(job, { powered: true });
  await checkpoint(job, 'on');
  await done(job, 'power-on', RUNS);
  return true;
}

const RUNS = 'It is switched on.';

/** The properties have passwords: once the appliance has read them, they are removed from the machine's settings. */
export async function clearEnvironment({ job, hypervisor }: Switching): Promise<void> {
  const { environment, machine } = notesOf(job);
  if (environment !== 'set') {
    if (environment === 'cleared') await endNoted(job, 'clear', CLEARED);
    else if (environment === undefined) await skip(job, 'clear', 'None were put there.');
    return;
  }
  await begin(job, 'clear');
  await hypervisor.ask(async (session) => {
    await setExtraConfig(session, machine!, { [ENVIRONMENT_KEY]: '' }, { signal: job.signal });
    const read = await readExtraConfig(session, machine!, [ENVIRONMENT_KEY], { signal: job.signal });
    if (read[ENVIRONMENT_KEY]) {
      throw new Problem(
        'remote_refused',
        `The host still shows ${ENVIRONMENT_KEY}, with passwords in it. Remove it from the advanced settings of the machine.`,
      );
    }
  });
  await note(job, { environment: 'cleared' });
  await done(job, 'clear', CLEARED);
}

const CLEARED = 'They are gone from there, passwords among them.';
