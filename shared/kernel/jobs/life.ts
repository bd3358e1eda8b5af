// One run of a job in this process, from start to end: whether it should stop, and its notes to resume from.
// Shared by the job's run and by the transaction that ends it.

/** Thrown by a job at a safe point after someone asked it to stop. */
export class Cancelled extends Error {}

/** Thrown by a job that waits for somebody when the service stops: it is not over, the next start takes it up. */
export class Left extends Error {}

export class Life {
  /** Who has the lease; null for a run without one. */
  readonly owner: string | null;
  kept: Readonly<Record<string, unknown>>;
  #fenced = false;
  #left = false;
  #over = false;
  readonly #controller = new AbortController();
  readonly #leaving = Promise.withResolvers<void>();

  constructor(owner: string | null, kept: Readonly<Record<string, unknown>>) {
    this.owner = owner;
    this.kept = kept;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get fenced(): boolean {
    return this.#fenced;
  }

  /** The job's end is written. Nothing is written after it. */
  get over(): boolean {
    return this.#over;
  }

  fence(job_id: string): void {
    this.#fenced = true;
    this.#controller.abort(fencedOff(job_id));
  }

  leave(): void {
    this.#left = true;
    this.#controller.abort(new Left());
    this.#leaving.resolve();
  }

  cancel(): void {
    this.#controller.abort(new Cancelled());
  }

  end(): void {
    this.#over = true;
  }

  async leaveOr(wait: Promise<unknown>): Promise<void> {
    await Promise.race([wait, this.#leaving.promise]);
    if (this.#left) throw new Left();
  }
}

export const fencedOff = (job_id: string): Error => new Error(`the lease of ${job_id} was taken by another runner`);
