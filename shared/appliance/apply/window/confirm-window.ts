// The confirm window as the apply sees it: armed before the first change, complete, extended, confirmed or rolled back.
// Every change of the record happens under the host lock, so that a confirmation and a deadline can't both win.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../../ground/machine/host.ts';
import { Problem } from '../../../ground/problems.ts';
import type { UnitId } from '../../../platform/unit-names.ts';
import { freeReserves, keptUnits } from '../kept.ts';
import { rebuilt, setAside } from './damaged.ts';
import { withHostLock } from './host-lock.ts';
import {
  deadlineIn,
  endedBy,
  extendableBy,
  hashNonce,
  howItEnded,
  isOpen,
  type RevertCause,
  timeLeft,
  uptime,
  WINDOW,
  type WindowRecord,
} from './record.ts';
import {
  DamagedWindow,
  forgetOtherCopies,
  isFull,
  plansWithWindow,
  readWindow,
  removeWindow,
  reserveForWindow,
  unlessDamaged,
  type Writing,
  writeWindow,
} from './record-file.ts';
import { revert } from './revert.ts';

/** The window of this plan ended while the plan was still being enforced: everything is or will be rolled back. */
export class WindowClosed extends Error {
  constructor() {
    super('The confirm window ended while the change was being made');
  }
}

export type Arming = Pick<
  WindowRecord,
  'plan_id' | 'nonce_sha256' | 'units' | 'timeout_seconds' | 'arrived_at' | 'listeners'
>;

export interface WaitingPlan {
  plan_id: string;
  reached: UnitId[];
}

export interface ConfirmWindow {
  /** What is known of the last window; null: there is none. @throws DamagedWindow */
  read(): Promise<WindowRecord | null>;
  /**
   * Before the first change. Arming a window that is open for the same plan does nothing: an interrupted apply goes on.
   * @throws WindowClosed when its record is damaged and something may be changed already
   */
  arm(arming: Arming): Promise<void>;
  /**
   * Runs one step of a plan under the lock. `touches` names the unit whose host state it changes first.
   * @throws WindowClosed when the plan had a window and it has ended
   */
  whileOpen<T>(plan_id: string, work: () => Promise<T>, touches?: UnitId): Promise<T>;
  /** The change is complete: the deadline counts from here. @throws WindowClosed */
  enforced(plan_id: string): Promise<WindowRecord>;
  /** The deadline counts anew. @throws Problem 409 `window_closed`, `state_conflict` beyond what a window may last in all */
  extend(plan_id: string, timeout_seconds: number): Promise<WindowRecord>;
  /**
   * The plan stays; saying so twice is the same as saying it once. @throws Problem 409 `window_closed`, also while the
   * change is still being made, `wrong_nonce`
   */
  confirm(plan_id: string, nonce: string, by: string): Promise<WindowRecord>;
  /**
   * Puts the plan back, now; answers how that ended, also when somebody else did it before. Where the record is damaged,
   * every unit goes back whose way back was kept.
   */
  end(plan_id: string, by: string, cause: RevertCause): Promise<WindowRecord | null>;
  /** Removes the record and everything kept for the plan, unless it still has to be rolled back. */
  forget(plan_id: string): Promise<void>;
  /**
   * Sets a damaged record aside. `waiting`: the plan that waits for it, with the units that its run had come to; it is put
   * back as far as it was kept, and how that ended is answered. Null: no plan waits.
   * @throws Problem 409 `state_conflict` for a record that can be read
   */
  clear(waiting: WaitingPlan | null, by: string): Promise<WindowRecord | null>;
}

interface Where {
  host: Host;
  folder: string;
  startWatchdog(): Promise<void>;
}

const closed = (detail: string): Problem => new Problem('window_closed', detail);

function fullDisk(error: Error): never {
  if (!isFull(error)) throw error;
  throw new Problem(
    'storage_full',
    'The disk is full. The confirm window stays as it was: the plan can still be confirmed or rolled back.',
    { retry_after: 30 },
  );
}

/** Extended for ever, what nobody confirms would stay, and keep everybody else from changing anything. */
function refuseEndless(record: WindowRecord, timeout_seconds: number): void {
  const left = extendableBy(record);
  if (timeout_seconds <= left) return;
  throw new Problem(
    'state_conflict',
    `A confirm window lasts at most ${WINDOW.in_all / 60} minutes in all. It can be extended to at most ${left} seconds from now; otherwise confirm the plan or roll it back.`,
  );
}

export function windowIn({ host, folder, startWatchdog }: Where): ConfirmWindow {
  const read = () => readWindow(folder);
  const locked = <T>(work: () => Promise<T>) => withHostLock(folder, work);
  const openOf = async (plan_id: string): Promise<WindowRecord> => {
    const record = await read();
    if (record?.plan_id !== plan_id) throw closed('This plan has no open confirm window.');
    if (record.ended && !isOpen(record)) throw closed(howItEnded(record.ended));
    if (record.state !== 'armed' || timeLeft(record) <= 0)
      throw closed('The confirm window of this plan is over: it is being rolled back.');
    return record;
  };
  const changed = async (record: WindowRecord, writing?: Writing): Promise<WindowRecord> => {
    await writeWindow(folder, record, writing).catch(fullDisk);
    return record;
  };
  const isWindowed = async (plan_id: string) => (await plansWithWindow(folder)).includes(plan_id);
  return {
    read,
    arm: async (arming) => {
      await locked(async () => {
        // Only one plan is at work at a time: a damaged record is this one's, or nobody's any more.
        const record = await read().catch((error) => {
          const none = unlessDamaged(error);
          if (keptUnits(folder, arming.plan_id).length > 0) throw new WindowClosed();
          return none;
        });
        if (record?.plan_id === arming.plan_id) return;
        if (record && isOpen(record)) throw new Error(`the confirm window of ${record.plan_id} is still open`);
        await forgetOtherCopies(folder, null);
        await reserveForWindow(folder).catch(fullDisk);
        await changed({
          ...arming,
          ...deadlineIn(arming.timeout_seconds),
          opened_uptime_ms: uptime().ms,
          state: 'armed',
          touched: [],
          enforced_uptime_ms: null,
          ended: null,
        });
      });
      await startWatchdog();
    },
    async whileOpen(plan_id, work, touches) {
      // Without a window nobody else touches the host: the lock would only cost time. A damaged record that is none of this
      // plan's says nothing about it.
      const found = await read().catch(async (error) => {
        if (unlessDamaged(error) === null && (await isWindowed(plan_id))) throw new WindowClosed();
        return null;
      });
      if (found?.plan_id !== plan_id) return work();
      return locked(async () => {
        const record = await read();
        if (record?.state !== 'armed') throw new WindowClosed();
        if (touches && !record.touched.includes(touches))
          await changed({ ...record, touched: [...record.touched, touches] });
        return work();
      });
    },
    enforced: (plan_id) =>
      locked(async () => {
        const record = await read();
        if (record?.plan_id !== plan_id || record.state !== 'armed') throw new WindowClosed();
        if (record.enforced_uptime_ms !== null) return record;
        return changed({ ...record, ...deadlineIn(record.timeout_seconds), enforced_uptime_ms: uptime().ms });
      }),
    extend: (plan_id, timeout_seconds) =>
      locked(async () => {
        const record = await openOf(plan_id);
        refuseEndless(record, timeout_seconds);
        return changed({ ...record, ...deadlineIn(timeout_seconds) });
      }),
    confirm: (plan_id, nonce, by) =>
      locked(async () => {
        const known = await read();
        const again = known?.plan_id === plan_id && known.state === 'confirmed';
        const record = again ? known : await openOf(plan_id);
        if (record.nonce_sha256 !== hashNonce(nonce))
          throw new Problem('wrong_nonce', 'This nonce does not belong to the plan; read the plan again.');
        if (again) return record;
        if (record.enforced_uptime_ms === null)
          throw closed('The change is still being made; confirm it once it is complete.');
        const confirmed = { ...record, state: 'confirmed', ended: endedBy(by, 'confirmed') } as const;
        await changed(confirmed, { spend: true });
        // Nobody goes back any more: what was set aside for that is there for writing down that the plan stays.
        await freeReserves(folder, plan_id).catch(() => undefined);
        return confirmed;
      }),
    end: (plan_id, by, cause) =>
      locked(async () => {
        const record = await read().catch((error) =>
          error instanceof DamagedWindow ? rebuilt(folder, plan_id) : Promise.reject(error),
        );
        return record?.plan_id === plan_id ? revert({ host, folder }, record, { by, cause }) : null;
      }),
    async forget(plan_id) {
      const record = await read().catch((error) => (error instanceof DamagedWindow ? error : Promise.reject(error)));
      if (record instanceof DamagedWindow || record?.plan_id === plan_id) {
        // Whoever still has to roll it back needs both.
        if (!(record instanceof DamagedWindow) && isOpen(record)) return;
        await locked(() => removeWindow(folder));
      }
      await rm(join(folder, 'work', plan_id), { recursive: true, force: true });
    },
    clear: (asked, by) =>
      locked(async () => {
        const found = await read().catch((error) => (error instanceof DamagedWindow ? error : Promise.reject(error)));
        if (!(found instanceof DamagedWindow))
          throw new Problem(
            'state_conflict',
            'The record of the confirm window is not damaged: there is nothing to clear.',
          );
        const kept = (await plansWithWindow(folder)).find((id) => keptUnits(folder, id).length > 0);
        const waiting = asked ?? (kept ? { plan_id: kept, reached: [] } : null);
        await setAside(folder);
        if (waiting) {
          const record = rebuilt(folder, waiting.plan_id, waiting.reached);
          return revert({ host, folder }, record, { by, cause: 'cancelled' });
        }
        await removeWindow(folder);
        return null;
      }),
  };
}
