// The last requests, and to whom each key was given: gathered in memory and written a few at a time, since nobody
// waits for it. Names of attributes are told, values and material never.
import { instant } from '../../../ground/clock.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { addReceiver, type Receiver } from '../keys/receivers.ts';
import type { Caller } from './caller.ts';

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
type Who = Pick<Caller, 'client' | 'sha256'>;
/** One of a key to a client certificate. */
type Given = Receiver & { key_id: string };

export class Trace {
  readonly #services: Pick<Services, 'clock'> & { store: Store };
  #waiting: Written[] = [];
  #given = new Map<string, Given>();
  #seen = new Map<string, { at: string; from: string }>();

  constructor(services: Pick<Services, 'clock'> & { store: Store }) {
    this.#services = services;
  }

  /** `caller`: null for our own probe, which nobody has to read of. */
  add(caller: Who | null, told: readonly Told[]): void {
    if (caller === null) return;
    const at = instant(this.#services.clock.now());
    for (const each of told) {
      this.#waiting.push({ ...each, at });
      const { source_address: from, key_id } = each;
      if (each.got && key_id !== null) this.#give(key_id, { at, from }, caller);
      this.#seen.set(caller.client.id, { at, from });
    }
    if (this.#waiting.length > REQUESTS_MOST) this.#waiting = this.#waiting.slice(-REQUESTS_MOST);
  }

  #give(key_id: string, { at, from }: { at: string; from: string }, { client, sha256 }: Who): void {
    const place = `${key_id} ${sha256}`;
    const was = this.#given.get(place) ?? { first_at: at, first_from: from, times: 0 };
    const last = { key_id, client: client.name, sha256, last_at: at, last_from: from };
    this.#given.set(place, { ...was, ...last, times: was.times + 1 });
  }

  /** Writes what waits: one transaction, or none. Who got a key waits on when it can't be written. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const [requests, given, seen] = [this.#waiting, this.#given, this.#seen];
    this.#waiting = [];
    this.#given = new Map();
    this.#seen = new Map();
    try {
      await this.#services.store.write((tx) => write(tx, requests, [...given.values()], [...seen]));
    } catch (error) {
      this.#waiting = [...requests, ...this.#waiting].slice(-REQUESTS_MOST);
      for (const [place, before] of given) this.#given.set(place, joined(before, this.#given.get(place)));
      throw error;
    }
  }
}

const joined = (before: Given, after: Given | undefined): Given =>
  after === undefined
    ? before
    : { ...after, first_at: before.first_at, first_from: before.first_from, times: before.times + after.times };

async function write(
  tx: Transaction,
  requests: readonly Written[],
  given: readonly Given[],
  seen: readonly [string, { at: string; from: string }][],
): Promise<void> {
  await tx.run(
    `INSERT INTO kms_request (at, provider, client, source_address, version, operation, key_id, attributes, result, took_ms)
      SELECT value ->> 'at', value ->> 'provider', value ->> 'client', value ->> 'source_address', value ->> 'version',
        value ->> 'operation', value ->> 'key_id', value ->> 'attributes', value ->> 'result', value ->> 'took_ms'
      FROM json_each(?)`,
    [JSON.stringify(requests.map(asWritten))],
  );
  await tx.run('DELETE FROM kms_request WHERE seq <= (SELECT max(seq) FROM kms_request) - ?', [REQUESTS_MOST]);
  for (const { key_id, ...each } of given) {
    await addReceiver(tx, key_id, each);
    const last = [each.last_at, each.last_from, key_id];
    await tx.run('UPDATE kms_key SET last_get_at = ?, last_get_from = ? WHERE id = ?', last);
  }
  for (const [id, { at, from }] of seen)
    await tx.run('UPDATE kms_client SET last_seen_at = ?, last_seen_from = ? WHERE id = ?', [at, from, id]);
}

const asWritten = ({ attributes, got: _got, ...told }: Written) => ({
  ...told,
  attributes: JSON.stringify(attributes.slice(0, NAMES_MOST).map((name) => name.slice(0, NAME_MOST))),
});
