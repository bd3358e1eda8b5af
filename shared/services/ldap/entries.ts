// The applied entries: what each tree is to hold. The apply writes them, from applied state only; the service brings slapd
// to them (follow/). There is no password among them: a mark tells which of the saved hashes an entry is to have.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { sha256 } from '../../platform/applied/baseline.ts';
import type { LdapDesired, LdapSettings } from './desired.ts';
import { ENTRIES_FILE } from './files.ts';

const text = v.string();
const marked = { entry_uuid: text, mark: text };
const user = {
  uid: text,
  kind: v.picklist(['person', 'service']),
  given_name: text,
  surname: text,
  display_name: text,
  mail: text,
  telephone: text,
  enabled: v.boolean(),
  ...marked,
};
const group = { name: text, entry_uuid: text, users: v.array(text), groups: v.array(text) };
const account = { name: text, ...marked };

const entriesSchema = v.object({
  version: v.literal(1),
  policy: v.object({ max_failures: v.number(), lockout_seconds: v.number(), max_age_seconds: v.number() }),
  organizations: v.array(
    v.object({
      slug: text,
      suffix: text,
      users: v.array(v.object(user)),
      groups: v.array(v.object(group)),
      accounts: v.array(v.object(account)),
    }),
  ),
});

export type Entries = v.InferOutput<typeof entriesSchema>;
export type OrganizationEntries = Entries['organizations'][number];

export const policyOf = ({
  password_max_failures,
  password_lockout_minutes,
  password_max_age_days,
}: LdapSettings): Entries['policy'] => ({
  max_failures: password_max_failures,
  lockout_seconds: password_lockout_minutes * 60,
  max_age_seconds: password_max_age_days * 86_400,
});

/** Of each entry as it stands in the file, made once: of ten thousand, one differs from the last time. */
const pieces = new WeakMap<object, { text: string; readable: boolean }>();
const READABLE = [v.strictObject(user), v.strictObject(group), v.strictObject(account)] as const;

function pieceOf(entry: object) {
  const found = pieces.get(entry);
  if (found) return found;
  const made = {
    text: JSON.stringify(entry, null, 1).replaceAll('\n', '\n    '),
    readable: READABLE.some((schema) => v.is(schema, entry)),
  };
  pieces.set(entry, made);
  return made;
}

const membersText = (value: unknown): string =>
  Array.isArray(value)
    ? value.length === 0
      ? '[]'
      : `[\n    ${value.map((entry: object) => pieceOf(entry).text).join(',\n    ')}\n   ]`
    : JSON.stringify(value);

const organizationText = (organization: OrganizationEntries): string =>
  `{\n${Object.entries(organization)
    .map(([name, value]) => `   ${JSON.stringify(name)}: ${membersText(value)}`)
    .join(',\n')}\n  }`;

/** By list of organisations, as long as the policy stays. */
const texts = new WeakMap<readonly OrganizationEntries[], { policy: string; content: string }>();

/** The text of the file: the same state always gives the same text, that of `JSON.stringify` with an indent of 1. */
export function writeEntries({ settings, organizations }: Pick<LdapDesired, 'settings' | 'organizations'>): string {
  const policy = JSON.stringify(policyOf(settings), null, 1).replaceAll('\n', '\n ');
  const found = texts.get(organizations);
  if (found?.policy === policy) return found.content;
  const all = organizations.map(organizationText).join(',\n  ');
  const list = organizations.length === 0 ? '[]' : `[\n  ${all}\n ]`;
  const content = `{\n "version": 1,\n "policy": ${policy},\n "organizations": ${list}\n}\n`;
  texts.set(organizations, { policy, content });
  keepParsed(content, { version: 1, policy: policyOf(settings), organizations });
  return content;
}

/** What the file was made from is what reading it gives, where each entry is one that can be read. */
function keepParsed(content: string, entries: Entries): void {
  const all = entries.organizations.flatMap(({ users, groups, accounts }) => [...users, ...groups, ...accounts]);
  if (!all.every((entry) => pieceOf(entry).readable)) return;
  // In the place of what was parsed from the same text: of the next text, most entries are the same objects as these.
  keep({ entries, digest: sha256(content) });
}

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
  return keep(parsed.get(digest) ?? { entries: entriesIn(content), digest });
}

/** To the end, so that the first one is the one that was asked for longest ago. */
function keep(known: AppliedEntries): AppliedEntries {
  parsed.delete(known.digest);
  parsed.set(known.digest, known);
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
