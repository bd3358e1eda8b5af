// When a credential was last used is written behind, at most once a minute each: a read must not cost a write.
import { instant, isNear } from '../../ground/clock.ts';
import type { Store } from '../../ground/store/store.ts';
import { KnownAddresses } from './known-addresses.ts';

const EVERY_SECONDS = 60;

interface Use {
  table: 'api_token' | 'session';
  at: Date;
  from: string;
}

export class LastUse {
  /** Where those come from that were recognised. */
  readonly addresses = new KnownAddresses();
  readonly #pending = new Map<string, Use>();
  readonly #written = new Map<string, number>();

  note(table: Use['table'], id: string, at: Date, from: string): void {
    this.addresses.note(from);
    const written = this.#written.get(id) ?? 0;
    if (isNear(written, at, EVERY_SECONDS)) return;
    this.#pending.set(id, { table, at, from });
  }

  /** Writes the noted uses in one transaction. Called by the ticker and at the graceful stop. */
  async flush(store: Store): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = [...this.#pending];
    this.#pending.clear();
    const writing = store.write(async (transaction) => {
      for (const [id, use] of uses) {
        if (use.table === 'session') {
          await transaction.run('UPDATE session SET last_seen_at = ? WHERE id_hash = ?', [instant(use.at), id]);
        } else {
          await transaction.run('UPDATE api_token SET last_used_at = ?, last_used_from = ? WHERE id = ?', [
            instant(use.at),
            use.from,
            id,
          ]);
        }
      }
    });
    await writing.catch((error: unknown) => {
      for (const [id, use] of uses) if (!this.#pending.has(id)) this.#pending.set(id, use);
      throw error;
    });
    for (const [id, use] of uses) this.#written.set(id, use.at.getTime());
    if (this.#written.size > 10_000) this.#written.clear();
  }
}
