// A kept archive, opened and held against the state of now, as the API and its pages tell it.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { AgeIdentity } from '../../ground/age/age.ts';
import { canonicalJson } from '../../ground/canonical-json.ts';
import { invalid, Problem } from '../../ground/problems.ts';
import { DATABASE_FILE } from '../../ground/store/open-store.ts';
import { takeSnapshot } from '../../ground/store/snapshots.ts';
import { StartFault } from '../../ground/store/start-fault.ts';
import type { Actor } from '../../kernel/access/actor.ts';
import { missingScope } from '../../kernel/access/missing-scope.ts';
import type { Services } from '../../kernel/operation/services.ts';
import { bringForward, type Forward } from './bring-forward.ts';
import type { Choice } from './choose.ts';
import { fileGone } from './content.ts';
import { type CollectionDifference, countsOf, SETTINGS_COLLECTION } from './difference.ts';
import { archiveFile, archiveFolder, type KeptArchive, wholeArchive } from './kept.ts';
import { type LetIn, letsIn } from './lets-in.ts';
import { ROWS_TOLD } from './many/many-rows.ts';
import { missingMedia } from './media.ts';
import { compare } from './now.ts';
import { rehearse } from './restore.ts';
import type { Json } from './rows.ts';
import type { ArchiveOpening, Inspected, Restored } from './schemas.ts';
import { collectionOf, PARTS } from './tables.ts';

/** Characters of a field that are told. */
const TEXT_TOLD = 500;

export interface Opened extends Forward {
  archive: KeptArchive;
}

/** @throws Problem 404, 409 for what can't be read, 422 at the member that would open it */
export async function openKept(services: Services, id: string, by: ArchiveOpening): Promise<Opened> {
  const archive = await wholeArchive(services.store, id);
  const identity = identityFor(archive, by);
  const bytes = createReadStream(archiveFile(services.settings, id));
  try {
    return { archive, ...(await bringForward(archiveFolder(services.settings), bytes, identity)) };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? fileGone() : error;
  } finally {
    bytes.destroy();
  }
}

/** @throws Problem 422 at the member that is missing */
export function identityFor(
  { encryption }: Pick<KeptArchive, 'encryption'>,
  { passphrase, identity }: ArchiveOpening,
): AgeIdentity | null {
  if (encryption === 'passphrase') {
    if (!passphrase) throw invalid({ pointer: '/passphrase', detail: 'Type the passphrase of the archive.' });
    return { passphrase };
  }
  if (encryption === 'recipients') {
    if (!identity) throw invalid({ pointer: '/identity', detail: 'Type the identity of one of its recipients.' });
    return { identity };
  }
  return null;
}

export async function inspect(services: Services, { manifest, ...coming }: Opened): Promise<Inspected> {
  const { now, archived, renamed, differences } = await compare(services.store, services, coming);
  return {
    made_at: manifest.created_at,
    made_by: manifest.created_by,
    host_name: manifest.host_name,
    program: manifest.program,
    excluded: manifest.excluded,
    renamed: [...renamed].map(([from, to]) => ({ from, to })),
    unplaced: coming.unplaced.map((each) => ({ ...each })),
    missing_media: missingMedia(now, archived).map(({ name }) => name),
    units: unitsOf(differences),
    lets_in: letsIn(now, archived, differences),
  };
}

/** Under the units that they belong to. */
export function unitsOf(differences: readonly CollectionDifference[]): Restored['units'] {
  return [...Map.groupBy(differences, ({ part }) => part)].map(([part, own]) => ({
    unit: part.id as Restored['units'][number]['unit'],
    label: part.label,
    collections: own.map((each) => ({
      collection: each.collection,
      label: each.label,
      ...countsOf(each),
      rows: each.rows.slice(0, ROWS_TOLD).map(({ id, title, kind, fields }) => ({
        id,
        title,
        kind,
        fields: fields.map(({ name, from, to, secret = false }) => ({
          name,
          from: secret ? null : told(from),
          to: secret ? null : told(to),
          secret,
        })),
      })),
    })),
  }));
}

function told(value: Json): string {
  const text = typeof value === 'string' ? value : canonicalJson(value);
  return text.length > TEXT_TOLD ? `${text.slice(0, TEXT_TOLD)}…` : text;
}

/**
 * Looks at what is chosen before anything is written, and keeps the database as it is until now. Answers the name of that
 * copy; null where nothing differs, and for a dry run. `confirm` is told of the KMIP clients that would be let in, if any.
 * @throws Problem 422 at a collection that there is not, 403 for a unit that the caller may not write
 */
export async function beforeRestore(
  services: Services,
  actor: Actor,
  coming: Opened,
  choice: Choice,
  { dry_run, confirm }: { dry_run: boolean; confirm(lets_in: readonly LetIn[]): Promise<void> },
): Promise<string | null> {
  refuseUnknown(choice);
  const { picked, lets_in } = await rehearse(services.store, services, coming, choice);
  for (const { part } of picked) {
    const lacking = part.scopes.find((scope) => !actor.scopes.has(scope));
    if (lacking) throw missingScope(actor, lacking, `${part.label} would be restored.`);
  }
  if (dry_run || picked.length === 0) return null;
  if (lets_in.length > 0) await confirm(lets_in);
  const file = join(services.settings.data, DATABASE_FILE);
  try {
    return (await takeSnapshot(file, 'before-restore', services.clock)).name;
  } catch (error) {
    throw error instanceof StartFault ? new Problem('storage_full', `${error.message} Nothing was saved.`) : error;
  }
}

function refuseUnknown({ units }: Choice): void {
  for (const [at, { unit, collections = [] }] of (units ?? []).entries()) {
    const part = PARTS.find(({ id }) => id === unit)!;
    const known = [...part.tables.map(({ name }) => collectionOf(name)), SETTINGS_COLLECTION];
    for (const [place, { collection }] of collections.entries()) {
      if (known.includes(collection)) continue;
      const detail = `${unit} has no collection ${collection}. There are: ${known.join(', ')}.`;
      throw invalid({ pointer: `/units/${at}/collections/${place}/collection`, detail });
    }
  }
}
