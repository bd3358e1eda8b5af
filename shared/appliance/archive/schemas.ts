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
import { ARCHIVE_STATES, ENCRYPTIONS, ORIGINS } from './kept.ts';

export const PASSPHRASE_LEAST = 12;
const PASSPHRASE_MOST = 1024;
const RECIPIENTS_MOST = 20;

export const archiveParam = idParam('archive_id', 'Id of the archive.');

export const archiveSchema = component(
  'Archive',
  v.object({
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
const recipients = v.pipe(
  v.array(
    v.pipe(v.string(), v.trim(), v.check(isRecipient, 'Must be a recipient of age: age1 and 58 more characters.')),
  ),
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
