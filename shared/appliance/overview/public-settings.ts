// The settings document of the public pages: one row beside those of the units, though no apply concerns it. What it offers
// there is off until somebody switches it on, and then it is there at once.
import * as v from 'valibot';
import { type Clock, instant } from '../../ground/clock.ts';
import { Problem } from '../../ground/problems.ts';
import { component, integerSchema } from '../../ground/schemas/component.ts';
import type { Database, Transaction } from '../../ground/store/database.ts';
import { type Precondition, requireRevision } from '../../ground/store/revision.ts';
import { saveDocument, savedDocument } from '../../platform/units/documents.ts';
import { flag } from '../../platform/units/settings-schemas.ts';

const KEY = 'public-pages';

const MEMBERS = {
  certificate_requests: flag(
    'Whether accounts that may ask for certificates sign in on the public pages and ask for them there.',
  ),
  directory_passwords: flag(
    'Whether people of the directory change their own passwords on the public pages, where the directory is in force.',
  ),
  status: flag('Whether the public pages say which services answer at the interface that was called.'),
};

export interface PublicSettings {
  certificate_requests: boolean;
  directory_passwords: boolean;
  status: boolean;
}

export type SavedPublicSettings = PublicSettings & {
  /** 0 while nothing was ever saved and the defaults hold. */
  revision: number;
  updated_at: string | null;
};

const DEFAULTS: PublicSettings = { certificate_requests: false, directory_passwords: false, status: false };

export const publicSettingsUpdateSchema = component('PublicPagesSettingsUpdate', v.partial(v.strictObject(MEMBERS)), {
  certificate_requests: true,
});
export const publicSettingsSchema = component(
  'PublicPagesSettings',
  v.object({
    ...MEMBERS,
    revision: v.pipe(integerSchema, v.description('0 while nothing was ever saved and the defaults hold.')),
    updated_at: v.pipe(v.nullable(v.string()), v.description('RFC 3339 in UTC; null while nothing was ever saved.')),
  }),
);

/** The saved settings, or the defaults. One statement. */
export async function readPublicSettings(db: Database): Promise<SavedPublicSettings> {
  const row = await savedDocument(db, KEY);
  if (!row) return { ...DEFAULTS, revision: 0, updated_at: null };
  const document = JSON.parse(row.document) as Partial<PublicSettings>;
  // Whatever else a document from elsewhere has, nothing is offered but by `true`.
  const saved = {
    certificate_requests: document.certificate_requests === true,
    directory_passwords: document.directory_passwords === true,
    status: document.status === true,
  };
  return { ...saved, revision: row.revision, updated_at: row.updated_at };
}

/** Changes the members that are named. `changed` is empty where nothing does. @throws Problem 412 */
export async function savePublicSettings(
  tx: Transaction,
  { clock }: { clock: Clock },
  patch: { [K in keyof PublicSettings]?: boolean | undefined },
  if_match: Precondition,
): Promise<{ saved: SavedPublicSettings; changed: (keyof PublicSettings)[] }> {
  const { revision, updated_at, ...before } = await readPublicSettings(tx);
  requireRevision(if_match, revision);
  const after = {
    certificate_requests: patch.certificate_requests ?? before.certificate_requests,
    directory_passwords: patch.directory_passwords ?? before.directory_passwords,
    status: patch.status ?? before.status,
  };
  const changed = (Object.keys(after) as (keyof PublicSettings)[]).filter((name) => after[name] !== before[name]);
  if (changed.length === 0) return { saved: { ...before, revision, updated_at }, changed };
  const now = instant(clock.now());
  await saveDocument(tx, KEY, after, now);
  return { saved: { ...after, revision: revision + 1, updated_at: now }, changed };
}

/** What is switched off is not there at all. @throws Problem 404 */
export async function requireOffered(db: Database, what: keyof PublicSettings): Promise<void> {
  const settings = await readPublicSettings(db);
  if (!settings[what]) throw new Problem('route_not_found', 'Nothing answers at this path.');
}
