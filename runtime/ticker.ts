// The clock's way into the house: calls each scheduled handler when its time has come, one call of each at a time.
import { instant } from '../shared/ground/clock.ts';
import type { Scheduled } from '../shared/kernel/operation/define-scheduled.ts';
import type { Services } from '../shared/kernel/operation/services.ts';

export class Ticker {
  readonly #services: Services;
  readonly #scheduled: readonly Scheduled[];
  readonly #due = new Map<string, number>();
  readonly #running = new Map<string, Promise<void>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Services, scheduled: readonly Scheduled[]) {
    this.#services = services;
    this.#scheduled = scheduled;
  }

  start(): void {
    this.#timer = setInterval(() => this.tick(), 1000);
    this.tick();
  }

  /** Starts work that is due by the services' clock, which tests replace. */
  tick(): void {
    const now = this.#services.clock.now();
    for (const { spec, handler } of this.#scheduled) {
      const wait = (this.#due.get(spec.id) ?? 0) - now.getTime();
      // Longer than its period: the clock was set back since, and must not keep it from its work until it has caught
      // up.
      if ((wait > 0 && wait <= spec.every * 1000) || this.#running.has(spec.id)) continue;
      this.#due.set(spec.id, now.getTime() + spec.every * 1000);
      const event = { source: 'groundcrew.ticker' as const, id: spec.id, time: instant(now) };
      const run = handler(event, { services: this.#services }).finally(() => this.#running.delete(spec.id));
      this.#running.set(spec.id, run);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
  }
}
