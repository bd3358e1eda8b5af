// Schemas of boot attempts and Kickstart texts in the REST API.
import * as v from 'valibot';
import {
  component,
  described,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  macAnswer,
  text,
} from '../../../ground/schemas/component.ts';
import { HOST_FIELDS } from '../kickstart-text.ts';
import { ATTEMPT_STATES, END_REASONS, type EndReason, type Moment, secondsLeft, standing } from './attempt.ts';
import type { Attempt } from './attempt-store.ts';
import { FIRMWARES } from './console.ts';

const reasons = Object.keys(END_REASONS) as [EndReason, ...EndReason[]];

export const attemptSchema = component(
  'BootAttempt',
  v.object({
    id: idSchema,
    host_id: text('Id of the host.'),
    hostname: text('Name of the host as it was applied.'),
    mac_address: macAnswer,
    firmware: described(v.picklist(FIRMWARES), 'What the console said of itself.'),
    source_address: described(v.string(), 'Where the choice on the console came from.'),
    state: described(
      v.picklist(ATTEMPT_STATES),
      'pending: waits for its code. issued: authorized, waits for the retrieval. The others are final.',
    ),
    wrong_codes: described(integerSchema, 'Wrong codes that were entered for it.'),
    listener_origin: text('Where its files are had from, such as http://192.0.2.5:8081.'),
    kickstart_id: text('Id of the Kickstart that was chosen.'),
    kickstart_revision: text('SHA-256 of its text, hexadecimal.'),
    media_id: text('Id of the installer medium that was chosen.'),
    created_at: instantSchema,
    expires_at: instantSchema,
    seconds_left: described(integerSchema, 'By the clock that has less; 0 when it is over.'),
    authorized_at: v.nullable(instantSchema),
    authorized_by: described(v.nullable(v.string()), 'Who entered the code; null while nobody did.'),
    ended_at: v.nullable(instantSchema),
    ended_reason: described(v.nullable(v.picklist(reasons)), 'Why it ended; null while it is open.'),
    ended_from: described(v.nullable(v.string()), 'Where the Kickstart was retrieved from, or the misuse came from.'),
  }),
);
export const attemptListSchema = listOf('BootAttemptList', attemptSchema);
export type AttemptView = v.InferOutput<typeof attemptSchema>;

/** An attempt as it may be shown: no hash of anything. */
export function attemptView(attempt: Attempt, now: Moment): AttemptView {
  const { claim_hash: _claim, code_hash: _code, capability_hash: _capability, ...shown } = attempt;
  const { applied_digest: _applied, manifest_digest: _manifest, window_from: _from, ...rest } = shown;
  const { uptime_boot: _boot, uptime_from: _start, uptime_until: _until, ...kept } = rest;
  const state = standing(attempt, now);
  return {
    ...kept,
    firmware: attempt.firmware === 'pcbios' ? 'pcbios' : 'efi',
    state,
    seconds_left: secondsLeft(attempt, now),
    // The ticker has not seen it yet.
    ended_reason: state === 'expired' ? (attempt.ended_reason ?? 'time-over') : attempt.ended_reason,
  };
}

export const authorizationSchema = component(
  'BootAuthorization',
  v.object({
    host_id: text('Id of the host.'),
    issued_at: instantSchema,
    expires_at: described(instantSchema, 'Ten minutes later; the first matching retrieval ends it before.'),
    guidance: described(v.string(), 'What happens next, for the operator. Without secrets.'),
  }),
);

export const authorizeSchema = component(
  'AuthorizeBootOnce',
  v.strictObject({
    boot_code: described(
      v.string(),
      'The code that the console of this host shows now. Case, spaces and hyphens do not matter.',
    ),
  }),
  { boot_code: 'ABCD-EFGH' },
);

const faultSchema = component(
  'KickstartFault',
  v.object({
    line: described(integerSchema, 'From 1; 0 where the text itself lacks something.'),
    severity: described(v.picklist(['error', 'warning']), 'An error keeps the text from being saved.'),
    detail: described(v.string(), 'Never quotes the line.'),
  }),
);
export const validationSchema = component(
  'KickstartValidation',
  v.object({
    valid: described(v.boolean(), 'Whether it could be saved.'),
    faults: described(v.array(faultSchema), 'What is wrong, line by line.'),
    text_revision: described(v.string(), 'The revision that it would have.'),
    host_fields: described(v.array(v.picklist(HOST_FIELDS)), 'Fields of the host that the text uses.'),
    variables: described(v.array(v.string()), 'Names of the variables that the text uses.'),
    vault_values: described(v.array(v.string()), 'Names of the values of vaults that the text takes: `<vault>.<key>`.'),
  }),
);
export const previewSchema = component(
  'KickstartPreview',
  v.object({
    kickstart_id: text('Id of the Kickstart.'),
    text_revision: text('SHA-256 of the full text, hexadecimal.'),
    lines: described(
      v.array(
        component(
          'KickstartPreviewLine',
          v.object({ line: described(integerSchema, 'From 1.'), text: text('The line; secrets are left out.') }),
        ),
      ),
      'The text as the host would get it.',
    ),
    warnings: described(v.array(faultSchema), 'What did not keep the text from being saved, but is worth a look.'),
  }),
);
