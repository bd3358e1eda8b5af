// The last requests, and to whom each key was given: gathered in memory and written a few at a time, since nobody waits for it,
// but for the first giving of a key to a certificate. Names of attributes are listed; values and key material never are.
import { instant } from '../../../ground/clock.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import type { Store } from '../../../ground/store/store.ts';
import type { Services } from '../../../kernel/operation/services.ts';
import { type Given, recordGiven } from '../keys/receivers.ts';
import type { Caller } from './caller.ts';
import { FirstReceipts } from './first-receipts.ts';

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

export class Trace {
  readonly #services: Pick<Services, 'clock' | 'logger'> & { store: Store };
  #waiting: Written[] = [];
  #given = new Map<string, Given>();
  #seen = new Map<string, { at: string; from: string }>();
  readonly #first: FirstReceipts;

  constructor(services: Pick<Services, 'clock' | 'logger'> & { store: Store }) {
    this.#services = services;
    this.#first = new FirstReceipts(services.store);
  }

  /**
   * Before the answer leaves: the first giving of a key to this certificate is on the disk then. One that can't be written is
   * logged and waits with all others: a full disk keeps no machine from its key.
   */
  async record(caller: Who | null, told: readonly Told[]): Promise<void> {
    if (caller === null) return;
    const at = instant(this.#services.clock.now());
    const given = told.flatMap((each) => givenBy(each, caller, at));
    let written: ReadonlySet<Given> = new Set();
    try {
      written = await this.#first.keep(given);
    } catch (error) {
      const { message } = error as Error;
      for (const { key_id, sha256 } of given)
        if (!this.#given.has(`${key_id} ${sha256}`))
          this.#services.logger.error('a key was given before it could be recorded', {
            ...{ key_id, sha256, client: caller.client.name, failure: { message } },
          });
    }
    const counted = new Set([...written].map(({ key_id }) => key_id));
    this.add(
      caller,
      told.map((each) => (each.key_id !== null && counted.delete(each.key_id) ? { ...each, got: false } : each)),
    );
  }

  /** `caller`: null for our own probe, which nobody has to read of. */
  add(caller: Who | null, told: readonly Told[]): void {
    if (caller === null) return;
    const at = instant(this.#services.clock.now());
    for (const each of told) {
      this.#waiting.push({ ...each, at });
      for (const given of givenBy(each, caller, at)) this.#give(given);
      this.#seen.set(caller.client.id, { at, from: each.source_address });
    }
    if (this.#waiting.length > REQUESTS_MOST) this.#waiting = this.#waiting.slice(-REQUESTS_MOST);
  }

  #give(given: Given): void {
    const place = `${given.key_id} ${given.sha256}`;
    const was = this.#given.get(place);
    this.#given.set(place, was === undefined ? given : joined(was, given));
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

const givenBy = ({ got, key_id, source_address: from }: Told, { client, sha256 }: Who, at: string): Given[] =>
  got && key_id !== null
    ? [{ key_id, sha256, client: client.name, first_at: at, first_from: from, last_at: at, last_from: from, times: 1 }]
    : [];

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
  for (const each of given) await recordGiven(tx, each);
  for (const [id, { at, from }] of seen)
    await tx.run('UPDATE kms_client SET last_seen_at = ?, last_seen_from = ? WHERE id = ?', [at, from, id]);
}

const asWritten = ({ attributes, got: _got, ...told }: Written) => ({
  ...told,
  attributes: JSON.stringify(attributes.slice(0, NAMES_MOST).map((name) => name.slice(0, NAME_MOST))),
});
