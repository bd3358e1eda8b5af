// The confirm window as the apply sees it: armed before the first change, complete, extended, confirmed or rolled back.
// Every change of the record happens under the host lock, so that a confirmation and a deadline can't both win.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../../../ground/machine/host.ts';
import { Problem } from '../../../ground/problems.ts';
import type { UnitId } from '../../../platform/unit-names.ts';
import { forgetKeptKeys, freeReserves, keptUnits } from '../kept.ts';
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

/** What is known of the last window, or that its record is damaged. @throws Error when it can't be read at all */
const readOrDamaged = (folder: string): Promise<WindowRecord | DamagedWindow | null> =>
  readWindow(folder).catch((error) => (error instanceof DamagedWindow ? error : Promise.reject(error)));

/** Methods are properties, so that one can be handed on by itself. */
class HostWindow implements ConfirmWindow {
  readonly #where: Where;
  readonly #folder: string;

  constructor(where: Where) {
    this.#where = where;
    this.#folder = where.folder;
  }

  readonly #locked = <T>(work: () => Promise<T>): Promise<T> => withHostLock(this.#folder, work);

  readonly #changed = async (record: WindowRecord, writing?: Writing): Promise<WindowRecord> => {
    await writeWindow(this.#folder, record, writing).catch(fullDisk);
    return record;
  };

  readonly #openOf = async (plan_id: string): Promise<WindowRecord> => {
    const record = await this.read();
    if (record?.plan_id !== plan_id) throw closed('This plan has no open confirm window.');
    if (record.ended && !isOpen(record)) throw closed(howItEnded(record.ended));
    if (record.state !== 'armed' || timeLeft(record) <= 0)
      throw closed('The confirm window of this plan is over: it is being rolled back.');
    return record;
  };

  readonly #isWindowed = async (plan_id: string): Promise<boolean> =>
    (await plansWithWindow(this.#folder)).includes(plan_id);

  readonly read = (): Promise<WindowRecord | null> => readWindow(this.#folder);

  readonly arm = async (arming: Arming): Promise<void> => {
    await this.#locked(async () => {
      // Only one plan is at work at a time: a damaged record is this one's, or nobody's any more.
      const record = await this.read().catch((error) => {
        const none = unlessDamaged(error);
        if (keptUnits(this.#folder, arming.plan_id).length > 0) throw new WindowClosed();
        return none;
      });
      if (record?.plan_id === arming.plan_id) return;
      if (record && isOpen(record)) throw new Error(`the confirm window of ${record.plan_id} is still open`);
      await forgetOtherCopies(this.#folder, null);
      await reserveForWindow(this.#folder).catch(fullDisk);
      await this.#changed({
        ...arming,
        ...deadlineIn(arming.timeout_seconds),
        opened_uptime_ms: uptime().ms,
        state: 'armed',
        touched: [],
        enforced_uptime_ms: null,
        ended: null,
      });
    });
    await this.#where.startWatchdog();
  };

  readonly whileOpen = async <T>(plan_id: string, work: () => Promise<T>, touches?: UnitId): Promise<T> => {
    // Without a window nobody else touches the host: the lock would only cost time. A damaged record that is none of this
    // plan's says nothing about it.
    const found = await this.read().catch(async (error) => {
      if (unlessDamaged(error) === null && (await this.#isWindowed(plan_id))) throw new WindowClosed();
      return null;
    });
    if (found?.plan_id !== plan_id) return work();
    return this.#locked(async () => {
      const record = await this.read();
      if (record?.state !== 'armed') throw new WindowClosed();
      if (touches && !record.touched.includes(touches))
        await this.#changed({ ...record, touched: [...record.touched, touches] });
      return work();
    });
  };

  readonly enforced = (plan_id: string): Promise<WindowRecord> =>
    this.#locked(async () => {
      const record = await this.read();
      if (record?.plan_id !== plan_id || record.state !== 'armed') throw new WindowClosed();
      if (record.enforced_uptime_ms !== null) return record;
      return this.#changed({ ...record, ...deadlineIn(record.timeout_seconds), enforced_uptime_ms: uptime().ms });
    });

  readonly extend = (plan_id: string, timeout_seconds: number): Promise<WindowRecord> =>
    this.#locked(async () => {
      const record = await this.#openOf(plan_id);
      refuseEndless(record, timeout_seconds);
      return this.#changed({ ...record, ...deadlineIn(timeout_seconds) });
    });

  readonly confirm = (plan_id: string, nonce: string, by: string): Promise<WindowRecord> =>
    this.#locked(async () => {
      const known = await this.read();
      const again = known?.plan_id === plan_id && known.state === 'confirmed';
      const record = again ? known : await this.#openOf(plan_id);
      if (record.nonce_sha256 !== hashNonce(nonce))
        throw new Problem('wrong_nonce', 'This nonce does not belong to the plan; read the plan again.');
      if (again) return record;
      if (record.enforced_uptime_ms === null)
        throw closed('The change is still being made; confirm it once it is complete.');
      const confirmed = { ...record, state: 'confirmed', ended: endedBy(by, 'confirmed') } as const;
      await this.#changed(confirmed, { spend: true });
      // Nobody goes back any more: what was set aside for that is there for writing down that the plan stays.
      await freeReserves(this.#folder, plan_id).catch(() => undefined);
      return confirmed;
    });

  readonly end = (plan_id: string, by: string, cause: RevertCause): Promise<WindowRecord | null> =>
    this.#locked(async () => {
      const found = await readOrDamaged(this.#folder);
      const record = found instanceof DamagedWindow ? await rebuilt(this.#folder, plan_id) : found;
      return record?.plan_id === plan_id ? revert(this.#where, record, { by, cause }) : null;
    });

  readonly forget = async (plan_id: string): Promise<void> => {
    const record = await readOrDamaged(this.#folder);
    if (record instanceof DamagedWindow || record?.plan_id === plan_id) {
      // Whoever still has to roll it back needs both.
      if (!(record instanceof DamagedWindow) && isOpen(record)) return;
      await this.#locked(() => removeWindow(this.#folder));
    }
    await forgetKeptKeys(this.#folder, this.#where.host, plan_id);
    await rm(join(this.#folder, 'work', plan_id), { recursive: true, force: true });
  };

  readonly clear = (asked: WaitingPlan | null, by: string): Promise<WindowRecord | null> =>
    this.#locked(async () => {
      if (!((await readOrDamaged(this.#folder)) instanceof DamagedWindow))
        throw new Problem(
          'state_conflict',
          'The record of the confirm window is not damaged: there is nothing to clear.',
        );
      const kept = (await plansWithWindow(this.#folder)).find((id) => keptUnits(this.#folder, id).length > 0);
      const waiting = asked ?? (kept ? { plan_id: kept, reached: [] } : null);
      await setAside(this.#folder);
      if (waiting) {
        const record = rebuilt(this.#folder, waiting.plan_id, waiting.reached);
        return revert(this.#where, record, { by, cause: 'cancelled' });
      }
      await removeWindow(this.#folder);
      return null;
    });
}

export const windowIn = (where: Where): ConfirmWindow => new HostWindow(where);
