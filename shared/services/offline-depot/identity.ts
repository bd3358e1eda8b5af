// The software depot ID: the publisher of the software knows the depot by it, and issues activation codes for it. It is
// generated once; a new ID invalidates every code that was issued for the old one.
import * as v from 'valibot';
import { type Clock, type Entropy, instant } from '../../ground/clock.ts';
import { invalid } from '../../ground/problems.ts';
import { component } from '../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';

export const depotIdentitySchema = component(
  'SoftwareDepotIdentity',
  v.object({
    software_depot_id: v.pipe(v.string(), v.description('UUID (RFC 9562), version 4.')),
    generated_at: v.pipe(v.string(), v.isoTimestamp(), v.description('RFC 3339 in UTC.')),
    replaced: v.pipe(
      v.nullable(v.string()),
      v.description('The ID that this one replaced; null when it is the first.'),
    ),
  }),
);

export const generateSchema = component(
  'SoftwareDepotIdentityGenerate',
  v.strictObject({
    confirm: v.optional(
      v.pipe(
        v.boolean(),
        v.description('Must be true where there is an ID already: activation codes are bound to it. Default false.'),
      ),
    ),
  }),
  { confirm: true },
);

export interface DepotIdentity {
  software_depot_id: string;
  generated_at: string;
}

export async function depotIdentity(db: Database): Promise<DepotIdentity | null> {
  const row = await db.one<DepotIdentity>('SELECT software_depot_id, generated_at FROM depot_identity WHERE id = 1');
  return row ?? null;
}

/** @throws Problem 422 at `/confirm` when an ID exists and its replacement is not confirmed. */
export async function generateDepotIdentity(
  tx: Transaction,
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  { confirm, by }: { confirm: boolean; by: string },
): Promise<v.InferOutput<typeof depotIdentitySchema>> {
  const before = await depotIdentity(tx);
  if (before && !confirm) {
    const detail =
      'There is a software depot ID already, and activation codes are bound to it. Confirm that a new one replaces it.';
    throw invalid({ pointer: '/confirm', detail });
  }
  const software_depot_id = uuid(entropy.bytes(16));
  const generated_at = instant(clock.now());
  await tx.run(
    `INSERT INTO depot_identity (id, software_depot_id, generated_by, generated_at) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET software_depot_id = excluded.software_depot_id,
       generated_by = excluded.generated_by, generated_at = excluded.generated_at`,
    [software_depot_id, by, generated_at],
  );
  return { software_depot_id, generated_at, replaced: before?.software_depot_id ?? null };
}

/** Version 4 of the variant of RFC 9562, 4.1 and 5.4. */
function uuid(random: Buffer): string {
  const bytes = Buffer.from(random);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
