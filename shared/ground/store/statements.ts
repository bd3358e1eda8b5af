// The statements of one transaction. After it nothing of it runs any more: on the same connection the next one's has begun, and
// would keep what this one left behind. Nor does anything run after SQLite may have taken it back by itself: that would stand
// for itself at once.

/** After these SQLite may have rolled back the whole transaction (sqlite.org/lang_transaction.html, 3). */
const ENDS_IT = new Set(['SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_NOMEM', 'SQLITE_BUSY', 'SQLITE_INTERRUPT']);

/** Whether SQLite may have taken back the whole transaction with this error. */
export const endsTransaction = (error: unknown): boolean =>
  ENDS_IT.has((error as { code?: string } | null)?.code ?? '');

export class Statements {
  #running = 0;
  #isOver = false;
  #idle: PromiseWithResolvers<void> | undefined;
  #ended: { error: unknown } | undefined;

  /** @throws Error when the transaction is over, and the one that ended it */
  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isOver) throw new Error('the transaction is over: a statement of it came late');
    this.requireWhole();
    this.#running++;
    try {
      return await run();
    } catch (error) {
      if (endsTransaction(error)) this.#ended ??= { error };
      throw error;
    } finally {
      this.#running--;
      if (this.#running === 0) this.#idle?.resolve();
    }
  }

  /** The work is done: those that it did not wait for are waited for, and no other ones begin. */
  async end(): Promise<void> {
    this.#isOver = true;
    if (this.#running === 0) return;
    this.#idle = Promise.withResolvers();
    await this.#idle.promise;
  }

  /** Also for work that goes on after such an error. @throws the error that ended the transaction */
  requireWhole(): void {
    if (this.#ended) throw this.#ended.error;
  }
}
