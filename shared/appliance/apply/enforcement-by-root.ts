// The enforcement of the appliance: every verb is a request to the root step, which reads the plan itself. What goes over
// is who and which, never what: no content, no path.
import { ROOT_STEP_FOLDER, RootStep, RootWindowClosed } from '../../platform/host/root-step.ts';
import type { ProbeResult } from '../../platform/units/unit.ts';
import type { Enforcement, UnitOrder } from './enforcement.ts';
import { WindowClosed } from './window/confirm-window.ts';
import type { WindowRecord } from './window/record.ts';
import { readWindow } from './window/record-file.ts';

const connection = new RootStep();

/** Stateless but for its connection, which opens when it is needed and is shared in this process. */
export function enforcementByRoot(rootStep: RootStep = connection, folder: string = ROOT_STEP_FOLDER): Enforcement {
  const ask = async <T>(request: { verb: string } & Record<string, unknown>): Promise<T> => {
    try {
      return await rootStep.ask<T>(request);
    } catch (error) {
      throw error instanceof RootWindowClosed ? new WindowClosed() : error;
    }
  };
  const unit =
    <T>(verb: string) =>
    ({ plan_id, planned }: UnitOrder): Promise<T> =>
      ask<T>({ verb, plan_id, unit: planned.id });
  const read = () => readWindow(folder);
  return {
    keep: unit<void>('keep'),
    swap: unit<string>('swap'),
    activate: unit<string>('activate'),
    probe: unit<ProbeResult>('probe'),
    restore: unit<string[] | null>('restore'),
    forget: (plan_id) => ask<void>({ verb: 'forget', plan_id }),
    window: {
      read,
      arm: (arming) => ask<void>({ verb: 'arm', ...arming }),
      async whileOpen(plan_id, work) {
        // The root step holds the lock during each of its own verbs; here nothing of the host is changed.
        const record = await read();
        if (record?.plan_id === plan_id && record.state !== 'armed') throw new WindowClosed();
        return work();
      },
      enforced: (plan_id) => ask<WindowRecord>({ verb: 'enforced', plan_id }),
      extend: (plan_id, timeout_seconds) => ask<WindowRecord>({ verb: 'extend', plan_id, timeout_seconds }),
      confirm: (plan_id, nonce, by) => ask<WindowRecord>({ verb: 'confirm', plan_id, nonce, by }),
      end: (plan_id, by, cause) => ask<WindowRecord | null>({ verb: 'end', plan_id, by, cause }),
      forget: (plan_id) => ask<void>({ verb: 'forget', plan_id }),
      clear: (waiting, by) => ask<WindowRecord | null>({ verb: 'clear', ...(waiting && { waiting }), by }),
    },
  };
}
