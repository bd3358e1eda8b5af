// The applied entries: what each tree is to hold. The apply writes them, from applied state only; the service brings slapd
// to them (follow/). There is no password among them: a mark tells which of the saved hashes an entry is to have.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';
import type { LdapDesired, LdapSettings } from './desired.ts';
import { ENTRIES_FILE } from './files.ts';

const text = v.string();
const marked = { entry_uuid: text, mark: text };

const entriesSchema = v.object({
  version: v.literal(1),
  policy: v.object({ max_failures: v.number(), lockout_seconds: v.number(), max_age_seconds: v.number() }),
  organizations: v.array(
    v.object({
      slug: text,
      suffix: text,
      users: v.array(
        v.object({
          uid: text,
          kind: v.picklist(['person', 'service']),
          given_name: text,
          surname: text,
          display_name: text,
          mail: text,
          telephone: text,
          enabled: v.boolean(),
          ...marked,
        }),
      ),
      groups: v.array(v.object({ name: text, entry_uuid: text, users: v.array(text), groups: v.array(text) })),
      accounts: v.array(v.object({ name: text, ...marked })),
    }),
  ),
});

export type Entries = v.InferOutput<typeof entriesSchema>;
export type OrganizationEntries = Entries['organizations'][number];

const policyOf = ({ password_max_failures, password_lockout_minutes, password_max_age_days }: LdapSettings) => ({
  max_failures: password_max_failures,
  lockout_seconds: password_lockout_minutes * 60,
  max_age_seconds: password_max_age_days * 86_400,
});

/** The text of the file: the same state always gives the same text. */
export const writeEntries = ({ settings, organizations }: LdapDesired): string =>
  `${JSON.stringify({ version: 1, policy: policyOf(settings), organizations } satisfies Entries, null, 1)}\n`;

export interface AppliedEntries {
  entries: Entries;
  /** SHA-256 of the file. */
  digest: string;
}

/**
 * By digest, of the two texts that were asked for last: what is in force and what is to be, which a plan and an apply read in turns,
 * and the probe, the follower and each sign-in again. Nobody changes what it is given.
 */
const parsed = new Map<string, AppliedEntries>();
const PARSED_MOST = 2;

/** The same object for the same text as before. @throws Error when the text is none of this release. */
export function parseEntries(content: string): AppliedEntries {
  const digest = sha256(content);
  const known = parsed.get(digest) ?? { entries: entriesIn(content), digest };
  // To the end, so that the first one is the one that was asked for longest ago.
  parsed.delete(digest);
  parsed.set(digest, known);
  if (parsed.size > PARSED_MOST) parsed.delete(parsed.keys().next().value!);
  return known;
}

function entriesIn(content: string): Entries {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), entriesSchema), content);
  if (!read.success) throw new Error('The applied entries of the directory are not those of this release.');
  return read.output;
}

/**
 * The entries in force on the host; null when the directory is off or was never applied.
 * @throws Error when they are damaged.
 */
export async function readEntries(host: Pick<Host, 'read'>): Promise<AppliedEntries | null> {
  const content = await host.read(ENTRIES_FILE);
  return content === null ? null : parseEntries(content);
}
