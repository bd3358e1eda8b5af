// What the API takes and says of certificate signing requests, profiles and revocation.
import * as v from 'valibot';
import {
  component,
  createdBy,
  described,
  idParam,
  idSchema,
  instantSchema,
  integerSchema,
  listOf,
  revisionSchema,
  text,
} from '../../ground/schemas/component.ts';
import { line } from '../units/settings-schemas.ts';
import { REVOCATION_REASONS } from './certificate-store.ts';
import { CSR_BYTES_MOST, NAMES_MOST } from './names.ts';
import { ALLOWED_MOST, canonicalPattern, PROFILES, patternFault } from './profiles.ts';
import { REQUEST_STATES } from './request-states.ts';
import { KEYED_ALGORITHMS } from './root-schemas.ts';

const csr = v.pipe(
  v.string(),
  v.maxLength(CSR_BYTES_MOST, `At most ${CSR_BYTES_MOST} characters.`),
  v.description(`Certificate signing request: PEM, or DER in base64. At most ${CSR_BYTES_MOST} characters.`),
);
const profile = described(v.picklist(PROFILES), `What the certificate may be used for: ${PROFILES.join(', ')}.`);
const names = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(255))),
  v.maxLength(NAMES_MOST, `At most ${NAMES_MOST} names.`),
  v.description(
    `Host names and addresses that it is to be for, instead of those in the request. At most ${NAMES_MOST}. A subordinate authority has none.`,
  ),
);
const days = v.pipe(
  v.number(),
  v.integer('Must be a whole number from 1 to 3650.'),
  v.minValue(1, 'Must be a whole number from 1 to 3650.'),
  v.maxValue(3650, 'Must be a whole number from 1 to 3650.'),
  v.description(
    'Days for which it is valid, 1 to 3650, and never longer than the root. Default: what the profile says, else the settings.',
  ),
);

export const CSR_EXAMPLE = '-----BEGIN CERTIFICATE REQUEST-----\nMII…\n-----END CERTIFICATE REQUEST-----\n';

export const signSchema = component(
  'CertificateSign',
  v.strictObject({ csr, profile, names: v.optional(names), validity_days: v.optional(days) }),
  { csr: CSR_EXAMPLE, profile: 'vmware', names: ['vc01.lab.example', '192.0.2.10'] },
);

export const previewSchema = component('CertificateRequestPreview', v.strictObject({ csr }), { csr: CSR_EXAMPLE });

export const parsedSchema = component(
  'ParsedCertificateRequest',
  v.object({
    subject: text('As the request has it.'),
    common_name: text('Empty where there is none.'),
    names: described(v.array(v.string()), 'Host names and addresses that it asks for.'),
    key_algorithm: described(v.picklist(KEYED_ALGORITHMS), 'Kind and size of its key.'),
    key_sha256: text('SHA-256 of its public key, hexadecimal.'),
    signature_algorithm: text('How it is signed; the signature was verified.'),
    ignored: described(v.array(v.string()), 'What it asks for beside, which is not taken.'),
    csr: text('The request as PEM.'),
  }),
);

export const revokeSchema = component(
  'CertificateRevoke',
  v.strictObject({
    revocation_reason: described(
      v.picklist(REVOCATION_REASONS),
      `Why, in the words of RFC 5280: ${REVOCATION_REASONS.join(', ')}. Only \`certificateHold\` can be taken back.`,
    ),
  }),
  { revocation_reason: 'superseded' },
);

export const requestCreateSchema = component(
  'CertificateRequestCreate',
  v.strictObject({
    csr,
    profile,
    names: v.optional(names),
    note: v.optional(line(200, 'For the approver; may be empty.')),
  }),
  { csr: CSR_EXAMPLE, profile: 'server', note: 'New host of the lab' },
);

const REQUEST = {
  id: idSchema,
  state: described(v.picklist(REQUEST_STATES), '`pending` until somebody decides.'),
  profile,
  subject: text('As the request has it.'),
  names: described(v.array(v.string()), 'Host names and addresses that the certificate is to be for.'),
  key_algorithm: described(v.picklist(KEYED_ALGORITHMS), 'Kind and size of its key.'),
  note: text('For the approver.'),
  certificate_id: described(
    v.nullable(v.string()),
    'The certificate that was issued for it; null unless it was approved.',
  ),
  reason: described(v.nullable(v.string()), 'Why it was refused; null unless it was.'),
  decided_by: described(v.nullable(v.string()), 'Who decided; null while it is pending.'),
  decided_at: described(v.nullable(v.string()), 'When; null while it is pending.'),
  created_by: createdBy,
  created_at: instantSchema,
};
const requestItem = component('CertificateRequest', v.object(REQUEST));
export const requestListSchema = listOf('CertificateRequestList', requestItem);
export const requestSchema = component(
  'CertificateRequestWithPem',
  v.object({ ...REQUEST, csr: text('The request as PEM.') }),
);
export const requestParam = idParam('request_id', 'Id of the request.');

export const approveSchema = component(
  'CertificateRequestApprove',
  v.strictObject({ names: v.optional(names), validity_days: v.optional(days) }),
  { validity_days: 365 },
);
export const refuseSchema = component(
  'CertificateRequestRefuse',
  v.strictObject({ reason: line(200, 'Why; the requester sees it.') }),
  { reason: 'The name belongs to another host.' },
);

const pattern = v.pipe(
  v.string(),
  v.maxLength(255),
  v.transform((typed) => canonicalPattern(typed.trim())),
  v.check(
    (typed) => patternFault(typed) === null,
    'Must be a host name, *. and a domain, an address, or a network such as 10.0.0.0/8.',
  ),
);
const PATCH = {
  allowed_names: v.pipe(
    v.array(pattern),
    v.maxLength(ALLOWED_MOST, `At most ${ALLOWED_MOST} patterns.`),
    v.description(
      `Names that it is issued for: vc01.lab.example, *.lab.example for every name below it, 10.0.0.5, or 10.0.0.0/8. None: every name. At most ${ALLOWED_MOST}.`,
    ),
  ),
  validity_days: v.nullable(days),
};
export const profilePatchSchema = component(
  'CertificateProfilePatch',
  v.strictObject({ allowed_names: v.optional(PATCH.allowed_names), validity_days: v.optional(PATCH.validity_days) }),
  { allowed_names: ['*.lab.example', '192.0.2.0/24'] },
);
export const profileSchema = component(
  'CertificateProfile',
  v.object({
    profile,
    allowed_names: described(v.array(v.string()), 'Names that it is issued for; none: every name.'),
    validity_days: described(
      v.nullable(integerSchema),
      'Days for which its certificates are valid; null: as the settings say.',
    ),
    revision: revisionSchema,
  }),
);
export const profileListSchema = listOf('CertificateProfileList', profileSchema);
export const profileParam = v.strictObject({
  profile_name: v.pipe(v.string(), v.maxLength(64), v.description('Name of the profile.')),
});
