// A virtual machine after its import: settings for its guest, power, and its state from outside.
import { setTimeout as pause } from 'node:timers/promises';
import { childOf, childrenOf, textOf, type XmlElement } from '../../ground/xml/element.ts';
import { parseXml } from '../../ground/xml/parse.ts';
import { VsphereFault } from './fault.ts';
import { SECRET_KEY } from './import.ts';
import { type Power, powerOf, unescapedName } from './inventory.ts';
import { retrieveOne } from './properties.ts';
import type { VsphereSession } from './session.ts';
import { ANSWER_RULES, localizedFault, numberOf, type ObjectRef, refOf, textXml } from './soap.ts';

/** Between two looks: short at first. */
const POLL_MS = [100, 200, 400, 800];
const SLOW_POLL_MS = 1500;
const machineRef = (id: string): ObjectRef => ({ type: 'VirtualMachine', id });

interface Waiting {
  signal?: AbortSignal | undefined;
  /** Percent, where the task reports it. */
  onProgress?: (percent: number) => void;
  /** Seconds for the task; default 600. */
  seconds?: number;
}

/**
 * Switches it on and waits until that is done.
 * @throws VsphereFault: what the task failed with, `not_ready` when it takes too long; the signal's reason
 */
export async function powerOn(session: VsphereSession, machine_id: string, waiting: Waiting = {}): Promise<void> {
  await runTask(session, 'PowerOnVM_Task', machine_id, '', 'switch on the machine', waiting);
}

/**
 * Sets keys of its advanced settings, such as `guestinfo.ovfEnv`; an empty value removes the key. Secrets beyond those
 * that a key tells for one are hidden by the caller.
 */
export async function setExtraConfig(
  session: VsphereSession,
  machine_id: string,
  values: Readonly<Record<string, string>>,
  waiting: Waiting = {},
): Promise<void> {
  for (const [key, value] of Object.entries(values)) session.hide(...secretsIn(key, value));
  const options = Object.entries(values).map(
    ([key, value]) => `<extraConfig>${textXml('key', key)}${typedText(value)}</extraConfig>`,
  );
  const inside = `<spec>${options.join('')}</spec>`;
  await runTask(session, 'ReconfigVM_Task', machine_id, inside, 'change the settings of the machine', waiting);
}

/** Of an OVF environment: the values of the properties whose keys say so. */
function secretsIn(key: string, value: string): string[] {
  if (SECRET_KEY.test(key)) return [value];
  try {
    return propertiesIn(parseXml(value, ANSWER_RULES)).flatMap(([name, each]) => (SECRET_KEY.test(name) ? [each] : []));
  } catch {
    return [];
  }
}

function propertiesIn({ attributes, children }: XmlElement): (readonly [string, string])[] {
  const own = (local: string): string => [...attributes].find(([name]) => name.endsWith(`:${local}`))?.[1] ?? '';
  return [[own('key'), own('value')] as const, ...children.flatMap(propertiesIn)];
}

const typedText = (value: string): string =>
  textXml('value', value).replace('<value>', '<value xsi:type="xsd:string">');

/** Values of some keys of its advanced settings; null for keys that are not set. */
export async function readExtraConfig(
  session: VsphereSession,
  machine_id: string,
  keys: readonly string[],
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<Record<string, string | null>> {
  const what = 'read the settings of the machine';
  const properties = await retrieveOne(session, machineRef(machine_id), ['config.extraConfig'], { what, signal });
  const options = properties.get('config.extraConfig')?.children ?? [];
  const found = new Map(options.map((option) => [textOf(option, 'key'), textOf(option, 'value')]));
  return Object.fromEntries(keys.map((key) => [key, found.get(key) || null]));
}

export interface MachineFacts {
  name: string;
  power: Power;
  /** As its tools say, the first one first. */
  guest_addresses: string[];
  /** `guestToolsRunning` and the like; null when nothing is known. */
  tools: string | null;
}

/** Null when it doesn't exist any more. */
export async function machineFacts(
  session: VsphereSession,
  machine_id: string,
  { signal }: { signal?: AbortSignal | undefined } = {},
): Promise<MachineFacts | null> {
  const paths = ['name', 'runtime.powerState', 'guest.ipAddress', 'guest.net', 'guest.toolsRunningStatus'];
  const what = 'look at the machine';
  const properties = await retrieveOne(session, machineRef(machine_id), paths, { what, signal }).catch(
    (error: unknown) => {
      if (error instanceof VsphereFault && error.reason === 'gone') return null;
      throw error;
    },
  );
  if (!properties || properties.size === 0) return null;
  const text = (path: string): string | null => properties.get(path)?.text.trim() || null;
  const cards = properties.get('guest.net')?.children ?? [];
  const addresses = [
    text('guest.ipAddress'),
    ...cards.flatMap((card) => childrenOf(card, 'ipAddress').map((each) => each.text.trim())),
  ];
  return {
    name: session.label(unescapedName(properties.get('name')?.text ?? '')),
    power: powerOf(text('runtime.powerState')),
    guest_addresses: [...new Set(addresses)]
      .flatMap((each) => each || [])
      .slice(0, 50)
      .map((each) => session.clean(each)),
    tools: session.label(text('guest.toolsRunningStatus') ?? '') || null,
  };
}

async function runTask(
  session: VsphereSession,
  method: string,
  machine_id: string,
  inside: string,
  what: string,
  { signal, onProgress, seconds = 600 }: Waiting,
): Promise<void> {
  const answer = await session.call({ method, on: machineRef(machine_id), inside, what, signal });
  const task = refOf(childOf(answer, 'returnval'));
  if (!task) throw new VsphereFault('unreadable', `The server gave no task for the request to ${what}.`);
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; ; turn++) {
    const info = (await retrieveOne(session, task, ['info'], { what, signal })).get('info');
    if (finished(session, info, what)) return;
    const percent = numberOf(textOf(info, 'progress'));
    if (percent !== null) onProgress?.(Math.max(0, Math.min(100, percent)));
    if (performance.now() > until) {
      const open = 'The task is still open there; look whether it waits for an answer of somebody.';
      throw new VsphereFault('not_ready', `It did not ${what} within ${seconds} seconds. ${open}`);
    }
    await pause(POLL_MS[turn] ?? SLOW_POLL_MS, undefined, { signal }).catch(() => signal?.throwIfAborted());
  }
}

function finished(session: VsphereSession, info: XmlElement | undefined, what: string): boolean {
  const state = textOf(info, 'state')?.trim();
  if (state === 'success') return true;
  if (state !== 'error') return false;
  const error = childOf(info, 'error');
  throw session.faultOf(error ? localizedFault(error) : { type: null, message: null, privilege: null }, what);
}
