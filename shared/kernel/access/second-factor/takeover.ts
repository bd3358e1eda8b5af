// Second factors of accounts that come from an archive: whoever signs in with an authenticator goes on with it, and a passkey works
// where the appliance has the name that the key was made for.
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Entropy } from '../../../ground/clock.ts';
import { Problem } from '../../../ground/problems.ts';
import { sealEntry } from '../../../ground/sealing/envelope.ts';
import type { Keyring } from '../../../ground/sealing/keyring.ts';
import type { Transaction } from '../../../ground/store/database.ts';
import { FACTORS_MOST, factorPlace } from './factor-store.ts';
import { TOTP_SECRET_BYTES } from './totp.ts';

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const base64url = (most: number) => v.pipe(text(most), v.regex(/^[\w-]+$/));
const instant = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 32 - 1));

const common = {
  id: v.pipe(v.string(), v.regex(/^factor_[a-z0-9]{1,40}$/)),
  user_id: text(64),
  name: text(80),
  created_at: instant,
  confirmed_at: instant,
  last_used_at: v.nullable(instant),
};
const none = v.null_();

const factorSchema = v.variant('kind', [
  v.object({
    ...common,
    kind: v.literal('totp'),
    last_step: v.nullable(count),
    secret: v.pipe(
      v.string(),
      v.check((secret) => {
        const bytes = Buffer.from(secret, 'base64');
        return bytes.length === TOTP_SECRET_BYTES && bytes.toString('base64') === secret;
      }),
    ),
    ...{ credential_id: none, public_key: none, sign_count: none, rp_id: none },
    transports: v.custom<string[]>((value) => isDeepStrictEqual(value, [])),
  }),
  v.object({
    ...common,
    kind: v.literal('passkey'),
    ...{ last_step: none, secret: none },
    credential_id: base64url(1400),
    public_key: base64url(2800),
    sign_count: count,
    rp_id: text(253),
    transports: v.pipe(v.array(text(32)), v.maxLength(8)),
  }),
]);

/**
 * Of accounts that are there; their secrets are sealed with the key of this appliance. Those that were never confirmed stay
 * behind. Answers how many came.
 * @throws Problem 409 where one can't be read, or a user would have too many
 */
export async function takeFactors(
  tx: Transaction,
  { keyring, entropy }: { keyring: Keyring; entropy: Entropy },
  rows: readonly Record<string, unknown>[],
): Promise<number> {
  // Accounts of an external provider did not come.
  const there = new Set((await tx.all<{ id: string }>('SELECT id FROM user')).map(({ id }) => id));
  const coming = rows
    .filter(({ confirmed_at, user_id }) => confirmed_at !== null && there.has(String(user_id)))
    .map(readFactor);
  for (const of of Map.groupBy(coming, ({ user_id }) => user_id).values())
    if (of.length > FACTORS_MOST) throw refused(`One of its accounts has more than ${FACTORS_MOST} second factors.`);
  for (const factor of coming) {
    const { id, secret } = factor;
    const sealed =
      secret === null
        ? { kek_id: '', sealed_key: '', sealed_value: '' }
        : sealEntry(await keyring.current(), factorPlace(id), secret, entropy);
    await tx.run(
      `INSERT INTO second_factor (id, user_id, kind, name, kek_id, sealed_key, sealed_value, last_step, credential_id, public_key,
         sign_count, rp_id, transports, created_at, confirmed_at, last_used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[id, factor.user_id, factor.kind, factor.name, sealed.kek_id, sealed.sealed_key, sealed.sealed_value],
        ...[factor.last_step, factor.credential_id, factor.public_key, factor.sign_count, factor.rp_id],
        ...[JSON.stringify(factor.transports), factor.created_at, factor.confirmed_at, factor.last_used_at],
      ],
    );
  }
  return coming.length;
}

function readFactor(row: Record<string, unknown>): v.InferOutput<typeof factorSchema> {
  const read = v.safeParse(factorSchema, row);
  // What is wrong with it would repeat the secret.
  if (!read.success) throw refused('One of its second factors is not as second factors are.');
  return read.output;
}

const refused = (why: string): Problem => new Problem('state_conflict', `${why} Nothing was saved.`);
