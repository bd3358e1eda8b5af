// The first member of an archive: what it is, of which appliance and when, and the digest of every other member.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { canonicalJson } from '../../ground/canonical-json.ts';

export const MANIFEST_NAME = 'manifest.json';
export const FORMAT = 1;

export const manifestSchema = v.strictObject({
  kind: v.literal('groundcrew-archive'),
  format: v.pipe(v.number(), v.integer()),
  /** How many migrations made the tables that its rows are of. */
  schema: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** Version of the program that wrote it. */
  program: v.string(),
  host_name: v.string(),
  created_at: v.string(),
  created_by: v.string(),
  contents: v.array(
    v.strictObject({
      name: v.string(),
      rows: v.pipe(v.number(), v.integer()),
      sha256: v.pipe(v.string(), v.length(64)),
    }),
  ),
  /** What people call the rows that are not in it because they hold secrets. */
  excluded: v.array(v.string()),
  /** Of the other members in their canonical form, hexadecimal. Earlier releases wrote none. */
  sha256: v.optional(v.pipe(v.string(), v.length(64))),
});

export type Manifest = v.InferOutput<typeof manifestSchema>;

/** Of a manifest without its own digest. */
export const manifestDigest = (others: object): string =>
  createHash('sha256').update(canonicalJson(others)).digest('hex');
