// What the API takes and says of archives.
import * as v from 'valibot';
import { isRecipient } from '../../ground/age/age.ts';
import {
  component,
  createdBy,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../ground/schemas/component.ts';
import { UNIT_IDS } from '../../platform/unit-names.ts';
import { line } from '../../platform/units/settings-schemas.ts';
import { ARCHIVE_BYTES_MOST, ARCHIVE_STATES, ENCRYPTIONS, ORIGINS } from './kept.ts';
import { MODES } from './modes.ts';

export const PASSPHRASE_LEAST = 12;
const PASSPHRASE_MOST = 1024;
export const RECIPIENTS_MOST = 20;

export const archiveParam = idParam('archive_id', 'Id of the archive.');

const ARCHIVE = {
  id: idSchema,
  name: text('Name of the file.'),
  origin: described(v.picklist(ORIGINS), '`made` here, or `uploaded` to be restored.'),
  state: described(v.picklist(ARCHIVE_STATES), '`receiving` until all bytes of an upload are there.'),
  encryption: described(
    v.picklist(ENCRYPTIONS),
    'What opens it: `passphrase`, the identity of one of its `recipients`, or nothing (`none`). `unknown` while it is being uploaded.',
  ),
  size_bytes: described(integerSchema, 'Bytes of the file.'),
  sha256: described(v.nullable(v.string()), 'SHA-256 of the file, hexadecimal; null while it is being uploaded.'),
  created_by: createdBy,
  created_at: instantSchema,
};
export const archiveSchema = component('Archive', v.object(ARCHIVE));
export const archiveProgressSchema = component(
  'ArchiveProgress',
  v.object({
    ...ARCHIVE,
    received_bytes: described(integerSchema, 'Bytes that are there; the next piece begins there.'),
  }),
);
export const archiveListSchema = listOf('ArchiveList', archiveSchema);

const passphrase = v.pipe(
  v.string(),
  v.minLength(PASSPHRASE_LEAST, `At least ${PASSPHRASE_LEAST} characters.`),
  v.maxLength(PASSPHRASE_MOST, `At most ${PASSPHRASE_MOST} characters.`),
  v.description(
    `For \`passphrase\`: what the archive is encrypted under, ${PASSPHRASE_LEAST} to ${PASSPHRASE_MOST} characters. It is not kept: without it nobody opens the archive.`,
  ),
);
export const recipient = v.pipe(
  v.string(),
  v.trim(),
  v.check(isRecipient, 'Must be a recipient of age: age1 and 58 more characters.'),
);
const recipients = v.pipe(
  v.array(recipient),
  v.minLength(1, 'At least one recipient.'),
  v.maxLength(RECIPIENTS_MOST, `At most ${RECIPIENTS_MOST} recipients.`),
  v.description(
    `For \`recipients\`: X25519 recipients of age, as \`age-keygen\` prints them, at most ${RECIPIENTS_MOST}. The identity of any of them opens the archive; the appliance itself can’t.`,
  ),
);

export const archiveCreateSchema = component(
  'ArchiveCreate',
  v.strictObject({
    encryption: described(
      v.picklist(['passphrase', 'recipients', 'none']),
      'What the archive is encrypted with. `none` leaves out everything that holds a secret: vaults, certificates with their keys, Kickstarts, hosts and users of the depot.',
    ),
    passphrase: v.optional(passphrase),
    recipients: v.optional(recipients),
  }),
  { encryption: 'recipients', recipients: ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'] },
);
export type ArchiveCreate = v.InferOutput<typeof archiveCreateSchema>;

export const archiveUploadSchema = component(
  'ArchiveUpload',
  v.strictObject({
    name: v.optional(line(200, 'Name of the file; `uploaded.gcarchive` where none is said.')),
    size_bytes: v.pipe(
      v.number(),
      v.integer('Must be a whole number of bytes.'),
      v.minValue(1, 'Must be at least 1 byte.'),
      v.maxValue(ARCHIVE_BYTES_MOST, `At most ${ARCHIVE_BYTES_MOST} bytes.`),
      v.description(`Bytes of the whole file, at most ${ARCHIVE_BYTES_MOST}.`),
    ),
  }),
  { name: 'groundcrew-gc01-20260102T030405Z.gcarchive.age', size_bytes: 48213 },
);
export type ArchiveUpload = v.InferOutput<typeof archiveUploadSchema>;

/** What opens an archive, as members of a body. */
export const OPENING = {
  passphrase: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(PASSPHRASE_MOST, `At most ${PASSPHRASE_MOST} characters.`),
      v.description('What the archive was encrypted under. It is not kept.'),
    ),
  ),
  identity: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.maxLength(200, 'At most 200 characters.'),
      v.description('The identity of one of its recipients, `AGE-SECRET-KEY-1…`. It is not kept.'),
    ),
  ),
};

export const archiveInspectSchema = component('ArchiveInspect', v.strictObject(OPENING), {
  identity: 'AGE-SECRET-KEY-1…',
});
export type ArchiveOpening = v.InferOutput<typeof archiveInspectSchema>;

/** Units, and what belongs to none. */
export const PART_IDS = ['vaults', ...UNIT_IDS, 'remote', 'public-pages', 'alerts', 'archives'] as const;

const name = (what: string) => v.pipe(v.string(), v.maxLength(100, 'At most 100 characters.'), v.description(what));
const collection = v.strictObject({
  collection: name('A collection of the unit, as `inspect` names it.'),
  rows: v.optional(
    described(
      v.pipe(v.array(name('Id of a row, as `inspect` names it.')), v.maxLength(10_000, 'At most 10000 rows.')),
      'Only these of its rows; all of them where it is left out.',
    ),
  ),
});
const unit = v.strictObject({
  unit: described(
    v.picklist(PART_IDS),
    'A unit, as `inspect` names it; `vaults`, `remote` and `archives` belong to none.',
  ),
  collections: v.optional(
    described(
      v.pipe(v.array(collection), v.minLength(1, 'At least one collection.'), v.maxLength(100, 'At most 100.')),
      'Only these of its collections; the whole unit where it is left out.',
    ),
  ),
});

export const archiveRestoreSchema = component(
  'ArchiveRestore',
  v.strictObject({
    ...OPENING,
    mode: v.optional(
      described(
        v.picklist(MODES),
        '`replace`: what is chosen becomes what the archive has. `merge`: rows are added and changed, none is removed. `add-only`: rows are added. Default: `replace`.',
      ),
    ),
    units: v.optional(
      described(
        v.pipe(v.array(unit), v.minLength(1, 'At least one unit.'), v.maxLength(100, 'At most 100 units.')),
        'What is restored; everything where it is left out.',
      ),
    ),
    own_password: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(1024, 'At most 1024 characters.'),
        v.description(
          'Password of the user whose token this is. Needed when a KMIP client gets access (`lets_in`); a dry run does without it.',
        ),
      ),
    ),
  }),
  { identity: 'AGE-SECRET-KEY-1…', mode: 'replace', units: [{ unit: 'dns-dhcp' }] },
);
export type ArchiveRestore = v.InferOutput<typeof archiveRestoreSchema>;

export const factoryResetSchema = component(
  'FactoryReset',
  v.strictObject({
    confirm: line(253, 'The name of the appliance, as its overview shows it.'),
    own_password: v.optional(
      v.pipe(
        v.string(),
        v.maxLength(1024, 'At most 1024 characters.'),
        v.description('Password of the user whose token this is. A dry run does without it.'),
      ),
    ),
  }),
  { confirm: 'gc01.lab.example', own_password: '…' },
);
export type FactoryReset = v.InferOutput<typeof factoryResetSchema>;

const rowDifference = component(
  'ArchiveRowDifference',
  v.object({
    id: text('By which the row is chosen.'),
    title: text('What people know the row by.'),
    kind: described(v.picklist(['added', 'changed', 'removed']), 'What a restore in the mode `replace` does to it.'),
    fields: described(
      v.array(
        v.object({
          name: text('Name of the field.'),
          from: described(v.nullable(v.string()), 'As it is saved now; JSON unless it is a text. Null for a secret.'),
          to: described(v.nullable(v.string()), 'As the archive has it. Null for a secret.'),
          secret: described(v.boolean(), 'Says only that it differs.'),
        }),
      ),
      'Fields of a changed row that differ.',
    ),
  }),
);
const counts = {
  added: described(integerSchema, 'Rows that the archive has and the appliance has not.'),
  changed: described(integerSchema, 'Rows that differ.'),
  removed: described(integerSchema, 'Rows that the archive has not.'),
};
const unitDifference = component(
  'ArchiveUnitDifference',
  v.object({
    unit: described(v.picklist(PART_IDS), 'Id of the unit; `vaults`, `remote` and `archives` belong to none.'),
    label: text('What people call it.'),
    collections: described(
      v.array(
        component(
          'ArchiveCollectionDifference',
          v.object({
            collection: text('By which the collection is chosen.'),
            label: text('What people call its rows.'),
            ...counts,
            rows: described(v.array(rowDifference), 'The first 100 of its rows that differ.'),
          }),
        ),
      ),
      'Its collections that differ.',
    ),
  }),
);
const units = described(v.array(unitDifference), 'Units that differ, with what differs.');
const letIn = component(
  'ArchiveLetIn',
  v.object({
    name: text('Name of the client.'),
    provider: text('Name of the key provider whose keys it gets.'),
    sha256: text('SHA-256 of its certificate.'),
  }),
);

export const inspectedSchema = component(
  'ArchiveInspected',
  v.object({
    made_at: text('When the archive was made.'),
    made_by: text('Who made it.'),
    host_name: text('Name of the appliance that it was made on.'),
    program: text('Version of the program that made it.'),
    excluded: described(v.array(v.string()), 'What is not in it because it holds secrets.'),
    renamed: described(
      v.array(v.object({ from: text('Name in the archive.'), to: text('Name of the same adapter here.') })),
      'Interfaces that have another name here.',
    ),
    unplaced: described(
      v.array(
        v.object({
          name: text('A section of the file, or which of its rows.'),
          count: described(integerSchema, 'How many of them.'),
          why: text('Why they are not taken over.'),
        }),
      ),
      'What the file has and this appliance has no place for: of an archive of schema 2 in plain JSON.',
    ),
    missing_media: described(v.array(v.string()), 'Names of media whose files are not here.'),
    units,
    lets_in: described(
      v.array(letIn),
      'KMIP clients that a restore of all of it would give access to keys: it then asks for your own password.',
    ),
  }),
);

export const restoredSchema = component(
  'ArchiveRestored',
  v.object({
    snapshot: described(
      v.nullable(v.string()),
      'Name of the copy of the database from before; null for a dry run, and where nothing differed.',
    ),
    units: described(v.array(unitDifference), 'What was restored. None: nothing differed.'),
    followed: described(v.array(v.string()), 'Units whose saved values follow the interfaces.'),
    lets_in: described(v.array(letIn), 'KMIP clients that were given access to keys.'),
  }),
);
export type Restored = v.InferOutput<typeof restoredSchema>;
export type Inspected = v.InferOutput<typeof inspectedSchema>;
