// Tasks that take a while, as they do there: switching on a machine, and what its guest does then.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Behind } from './behind.ts';
import type { SeenImport } from './imports.ts';
import {
  type Asked,
  answered,
  decoded,
  type FrontAnswer,
  listOf,
  localizedXml,
  member,
  objectXml,
  ok,
  type Ref,
  refOf,
  refXml,
  type SaidFault,
  text,
} from './wire.ts';

export interface BootingMachine {
  id: string;
  name: string;
  /** OVF properties as its guest sees them: from the vApp settings of a vCenter, from guestinfo.ovfEnv of a host. */
  properties: Record<string, string>;
}

export interface TaskRules {
  power_on_ms: number;
  /** A machine was switched on: answers the addresses of its guest. */
  boot: ((machine: BootingMachine) => Promise<{ addresses: string[] } | undefined>) | null;
}

interface FakeTask {
  state: 'running' | 'success' | 'error';
  began: number;
  error: SaidFault | null;
}

export interface Tasks {
  switchOn(question: Asked): FrontAnswer;
  /** A task that ends with an error. */
  failing(method: string, error: SaidFault): FrontAnswer;
  /** Its properties; null when it is none of these. */
  answer(ref: Ref): FrontAnswer | null;
}

export interface TaskShell {
  esx: boolean;
  rules: TaskRules;
  behind: Behind;
  imports: readonly SeenImport[];
}

export function slowTasks({ esx, rules, behind, imports }: TaskShell): Tasks {
  const tasks = new Map<string, FakeTask>();

  /** The properties that a guest of the machine would find. */
  async function propertiesOf(machine: Ref): Promise<Record<string, string>> {
    if (!esx) return imports.findLast((each) => each.machine === machine.id)?.properties ?? {};
    const options = (await behind.properties(machine, ['config.extraConfig'])).get('config.extraConfig');
    const environment = listOf((options as Record<string, never> | undefined)?.OptionValue)
      .filter((each) => text(each, 'key') === 'guestinfo.ovfEnv')
      .map((each) => text(each, 'value'))
      .at(-1);
    const found = (environment ?? '').matchAll(
      /<(?:\w+:)?Property\s+(?:\w+:)?key="([^"]*)"\s+(?:\w+:)?value="([^"]*)"/g,
    );
    return Object.fromEntries([...found].map(([, key, value]) => [decoded(key!), decoded(value!)]));
  }

  async function switchOn(machine: Ref, task: FakeTask): Promise<void> {
    await pause(rules.power_on_ms, undefined, { ref: false });
    const real = refOf(await behind.call('PowerOnVM_Task', machine));
    const info = (await behind.properties(real, ['info'])).get('info');
    const fault = text(member(info, 'error', 'fault', '@type'));
    if (fault !== '') {
      Object.assign(task, { state: 'error', error: { type: fault, message: fault } });
      return;
    }
    task.state = 'success';
    if (!rules.boot) return;
    const name = text((await behind.properties(machine, ['name'])).get('name'));
    const booted = await rules.boot({ id: machine.id, name, properties: await propertiesOf(machine) });
    const address = booted?.addresses[0];
    if (address === undefined) return;
    const running = { 'SET.guest.ipAddress': address, 'SET.guest.toolsRunningStatus': 'guestToolsRunning' };
    await behind.extraConfig(machine, running);
  }

  function started(method: string, work: (task: FakeTask) => Promise<void>): FrontAnswer {
    const id = `task-${randomUUID()}`;
    const task: FakeTask = { state: 'running', began: performance.now(), error: null };
    tasks.set(id, task);
    work(task).catch((error: Error) => {
      // What fails after it, such as a guest that does not start, is no error of the task.
      if (task.state === 'running')
        Object.assign(task, { state: 'error', error: { type: 'SystemError', message: error.message } });
      else console.error(error);
    });
    return ok(answered(method, refXml('returnval', { type: 'Task', id })));
  }

  return {
    switchOn: ({ method, on }) => started(method, (task) => switchOn(on, task)),
    failing: (method, error) => started(method, async (task) => void Object.assign(task, { state: 'error', error })),
    answer(ref) {
      const task = tasks.get(ref.id);
      if (!task) return null;
      const { state, began, error } = task;
      const part = Math.min(99, Math.round(((performance.now() - began) / Math.max(1, rules.power_on_ms)) * 100));
      const progress = state === 'running' ? `<progress>${part}</progress>` : '';
      const wrong = error ? localizedXml('error', error) : '';
      const info = `<key>${ref.id}</key>${refXml('task', ref)}<cancelled>false</cancelled><state>${state}</state>${wrong}${progress}`;
      return ok(objectXml(ref, { info: `<val xsi:type="TaskInfo">${info}</val>` }));
    },
  };
}
