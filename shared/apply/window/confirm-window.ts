// The confirm window as the apply sees it: armed before the first change, complete, extended, confirmed or put back.
// Every change of the record happens under the host lock, so that a confirmation and a deadline can't both win.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../host/host.ts';
import { Problem } from '../../operation/problems.ts';
import type { UnitId } from '../../units/unit.ts';
import { keptUnits } from '../kept.ts';
import { withHostLock } from './host-lock.ts';
import {
  DamagedWindow,
  deadlineIn,
  endedBy,
  hashNonce,
  isOpen,
  type RevertCause,
  readWindow,
  timeLeft,
  unlessDamaged,
  uptime,
  WINDOW,
  type WindowRecord,
  windowFile,
  writeWindow,
} from './record.ts';
import { revert } from './revert.ts';

/** The window of this plan ended while the plan was still being enforced: everything is or will be put back. */
export class WindowClosed extends Error {
  constructor() {
    super('The confirm window ended while the change was being made');
  }
}

export type Arming = Pick<
  WindowRecord,
  'plan_id' | 'nonce_sha256' | 'units' | 'timeout_seconds' | 'arrived_at' | 'listeners'
>;

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
  /** Removes the record and everything kept for the plan, unless it still has to be put back. */
  forget(plan_id: string): Promise<void>;
}

interface Where {
  host: Host;
  folder: string;
  startWatchdog(): Promise<void>;
}

const closed = (detail: string): Problem => new Problem('window_closed', detail);

/** A record to go back by: what was kept was kept before anything of its unit was changed. */
function rebuilt(folder: string, plan_id: string): WindowRecord {
  const units = keptUnits(folder, plan_id);
  return {
    plan_id,
    state: 'reverting',
    nonce_sha256: '',
    units,
    touched: units,
    ...deadlineIn(0),
    enforced_uptime_ms: null,
    arrived_at: '',
    listeners: [],
    ended: null,
  };
}

function fullDisk(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOSPC' && error.code !== 'EDQUOT') throw error;
  throw new Problem('storage_full', 'The appliance has no space left. The confirm window is as it was.', {
    retry_after: 30,
  });
}

/** Extended for ever, what nobody confirms would stay, and keep everybody else from changing anything. */
function refuseEndless({ opened_uptime_ms, enforced_uptime_ms }: WindowRecord, timeout_seconds: number): void {
  const { ms } = uptime();
  const opened = opened_uptime_ms ?? enforced_uptime_ms ?? ms;
  const left = WINDOW.in_all - Math.ceil((ms - opened) / 1000);
  if (timeout_seconds <= left) return;
  const [most, more] = [WINDOW.in_all / 60, Math.max(0, left)];
  throw new Problem(
    'state_conflict',
    `A confirm window lasts ${most} minutes in all: ${more} seconds are left to extend it by. Confirm the plan or put it back.`,
  );
}

export function windowIn({ host, folder, startWatchdog }: Where): ConfirmWindow {
  const read = () => readWindow(folder);
  const locked = <T>(work: () => Promise<T>) => withHostLock(folder, work);
  const openOf = async (plan_id: string): Promise<WindowRecord> => {
    const record = await read();
    if (record?.plan_id !== plan_id) throw closed('This plan has no open confirm window.');
    if (record.state === 'confirmed') throw closed('This plan is confirmed and stays.');
    if (record.state !== 'armed' || timeLeft(record) <= 0)
      throw closed('The confirm window of this plan is over; it is put back.');
    return record;
  };
  const changed = async (record: WindowRecord): Promise<WindowRecord> => {
    await writeWindow(folder, record).catch(fullDisk);
    return record;
  };
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
      // Without a window nobody else touches the host: the lock would only cost time.
      if ((await read())?.plan_id !== plan_id) return work();
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
        return changed({ ...record, state: 'confirmed', ended: endedBy(by, 'confirmed') });
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
        // Whoever still has to put it back needs both.
        if (!(record instanceof DamagedWindow) && isOpen(record)) return;
        await locked(() => rm(windowFile(folder), { force: true }));
      }
      await rm(join(folder, 'work', plan_id), { recursive: true, force: true });
    },
  };
}
