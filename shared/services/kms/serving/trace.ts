// The last requests, and when a key was last fetched from where: gathered in memory and written a few at a time, since nobody
// waits for it. Names of attributes are told, values and material never.
import { instant } from '../../../ground/clock.ts';
import type { Store } from '../../../ground/store/store.ts';
import type { Services } from '../../../kernel/operation/services.ts';

/** Requests that are kept. */
export const REQUESTS_MOST = 200;
/** Names of attributes of one request that are kept, and characters of each. */
const NAMES_MOST = 16;
const NAME_MOST = 64;

export interface Told {
  /** Empty: our own probe. */
  provider: string;
  client: string;
  source_address: string;
  /** `1.1`; empty for a request that could not be read. */
  version: string;
  operation: string;
  key_id: string | null;
  attributes: readonly string[];
  /** `success`, or why not. */
  result: string;
  took_ms: number;
  /** The material of the key was given. */
  got: boolean;
}

type Written = Told & { at: string };

export class Trace {
  readonly #services: Pick<Services, 'clock'> & { store: Store };
  #waiting: Written[] = [];
  readonly #gets = new Map<string, { at: string; from: string }>();
  readonly #seen = new Map<string, { at: string; from: string }>();

  constructor(services: Pick<Services, 'clock'> & { store: Store }) {
    this.#services = services;
  }

  /** `client_id`: null for our own probe, which nobody has to read of. */
  add(client_id: string | null, told: readonly Told[]): void {
    if (client_id === null) return;
    const at = instant(this.#services.clock.now());
    for (const each of told) {
      this.#waiting.push({ ...each, at });
      const { source_address: from } = each;
      if (each.got && each.key_id !== null) this.#gets.set(each.key_id, { at, from });
      this.#seen.set(client_id, { at, from });
    }
    if (this.#waiting.length > REQUESTS_MOST) this.#waiting = this.#waiting.slice(-REQUESTS_MOST);
  }

  /** Writes what waits: one transaction, or none. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const [requests, gets, seen] = [this.#waiting, [...this.#gets], [...this.#seen]];
    this.#waiting = [];
    this.#gets.clear();
    this.#seen.clear();
    await this.#services.store.write(async (tx) => {
      await tx.run(
        `INSERT INTO kms_request (at, provider, client, source_address, version, operation, key_id, attributes, result, took_ms)
          SELECT value ->> 'at', value ->> 'provider', value ->> 'client', value ->> 'source_address', value ->> 'version',
            value ->> 'operation', value ->> 'key_id', value ->> 'attributes', value ->> 'result', value ->> 'took_ms'
          FROM json_each(?)`,
        [JSON.stringify(requests.map(asWritten))],
      );
      await tx.run('DELETE FROM kms_request WHERE seq <= (SELECT max(seq) FROM kms_request) - ?', [REQUESTS_MOST]);
      for (const [id, { at, from }] of gets)
        await tx.run('UPDATE kms_key SET last_get_at = ?, last_get_from = ? WHERE id = ?', [at, from, id]);
      for (const [id, { at, from }] of seen)
        await tx.run('UPDATE kms_client SET last_seen_at = ?, last_seen_from = ? WHERE id = ?', [at, from, id]);
    });
  }
}

const asWritten = ({ attributes, got: _got, ...told }: Written) => ({
  ...told,
  attributes: JSON.stringify(attributes.slice(0, NAMES_MOST).map((name) => name.slice(0, NAME_MOST))),
});
