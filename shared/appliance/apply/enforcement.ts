// Everything that an apply does to the host, as a few verbs per unit. Two implementations: in this process, where it may
// change the host itself, and through the root step of the appliance, where the service may not.
import type { Host } from '../../ground/machine/host.ts';
import type { Services } from '../../kernel/operation/services.ts';
import type { ProbeResult, UnitChange } from '../../platform/units/unit.ts';
import { findUnit } from '../units.ts';
import { atFile } from './failure.ts';
import { keep, keptFolder, loadKept, putBack } from './kept.ts';
import type { Gathered } from './make-plan.ts';
import { changeOf, noChange, type PlannedUnit } from './plan.ts';
import { type ConfirmWindow, windowIn } from './window/confirm-window.ts';

/** One unit of a plan that is being enforced, as it was gathered when its turn came. */
export interface UnitOrder {
  plan_id: string;
  planned: PlannedUnit;
  material: Gathered;
}

/** Each verb can be repeated after an interruption. All but `keep` and `probe` throw WindowClosed once a window of the plan has ended. */
export interface Enforcement {
  /** Keeps what is in force, durably; what was kept before an interruption stays. */
  keep(order: UnitOrder): Promise<void>;
  /** Puts the new files in place. Answers what it did in one sentence, as the next verb does. */
  swap(order: UnitOrder): Promise<string>;
  /** Makes the service follow the files. */
  activate(order: UnitOrder): Promise<string>;
  /** Asks the running service. */
  probe(order: UnitOrder): Promise<ProbeResult>;
  /** Puts back what was kept, in sentences; null when nothing was. */
  restore(order: Pick<UnitOrder, 'plan_id' | 'planned'>): Promise<string[] | null>;
  /** Removes what was kept for a plan: it has ended. */
  forget(plan_id: string): Promise<void>;
  /** The confirm window, if one is open. */
  window: ConfirmWindow;
}

interface Here {
  host: Host;
  /** Folder of what is kept and of the confirm window. */
  folder: string;
  /** Starts the program that ends a window when nobody else does. */
  startWatchdog(): Promise<void>;
  checkpoint?: Services['checkpoint'];
}

/** Changes the host from this process. */
export function enforcementIn({ host, folder, startWatchdog, checkpoint }: Here): Enforcement {
  const window = windowIn({ host, folder, startWatchdog });
  const place = ({ plan_id, planned }: Pick<UnitOrder, 'plan_id' | 'planned'>) =>
    keptFolder(folder, plan_id, planned.id);
  /** Of the unit that is changed now: what was just written down is not read again, step by step. */
  let last: { place: string; change: UnitChange } | null = null;
  /** The change that was kept: after an interrupted swap the host no longer shows it. */
  const change = async (order: UnitOrder): Promise<UnitChange> => {
    if (last?.place === place(order)) return last.change;
    const kept = await loadKept(place(order));
    return kept?.change ?? changeOf(order.material) ?? noChange(order.material);
  };
  return {
    window,
    async keep(order) {
      const { unit, baseline, files } = order.material;
      const modes = new Map([...(baseline?.files ?? []), ...files].map((file) => [file.path, file.mode]));
      const earlier = baseline ? baseline.remembered : ((await unit.found?.(host)) ?? unit.nothing);
      const wanted = changeOf(order.material) ?? noChange(order.material);
      const { change: kept } = await keep(place(order), host, modes, { earlier, change: wanted });
      last = { place: place(order), change: kept };
    },
    async swap(order) {
      const { written, removed } = await change(order);
      const swapped = async () => {
        for (const file of order.material.files.filter(({ path }) => written.includes(path))) {
          await host.write(file).catch(atFile(file.path));
          await checkpoint?.(`${order.planned.id}:swapping`);
        }
        for (const path of removed) await host.remove(path).catch(atFile(path));
      };
      await window.whileOpen(order.plan_id, swapped, order.planned.id);
      return `${count(written.length, 'file')} written${removed.length > 0 ? `, ${count(removed.length, 'file')} removed` : ''}`;
    },
    async activate(order) {
      if (!host.enforces) return 'Rehearsal: nothing on this machine is changed';
      const { unit, desired } = order.material;
      const made = await change(order);
      return window.whileOpen(order.plan_id, () => unit.activate(host, desired, made, order.plan_id));
    },
    async probe(order) {
      if (!host.enforces) return { ok: true, said: 'Rehearsal: no service was asked' };
      const { unit, desired } = order.material;
      return unit.probe(host, desired, await change(order));
    },
    async restore(order) {
      const kept = await loadKept(place(order));
      if (!kept) return null;
      await checkpoint?.(`${order.planned.id}:restore`);
      return window.whileOpen(order.plan_id, () => putBack(place(order), host, findUnit(order.planned.id), kept));
    },
    async forget(plan_id) {
      last = null;
      await window.forget(plan_id);
    },
  };
}

export function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
