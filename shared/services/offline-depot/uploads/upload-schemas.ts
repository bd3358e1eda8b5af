// Schemas of uploads and OVAs of the depot.
import * as v from 'valibot';
import { SIGNATURE_CHAINS, SIGNATURE_VALIDITIES } from '../../../ground/ova/signature.ts';
import {
  component,
  createdBy,
  described,
  idParam,
  instantSchema,
  integerSchema,
  listOf,
  text,
} from '../../../ground/schemas/component.ts';
import { PIECE_MOST } from '../../../platform/uploads/pieces.ts';
import { sha256Schema } from '../../../platform/uploads/schemas.ts';
import { applianceNameSchema } from '../appliances/appliance-name.ts';
import { UPLOAD_STATES } from './upload-store.ts';

export const UPLOADS_TAG = 'Offline depot';
export const UPLOADS_PATH = '/api/v1/private-cloud-services/uploads';
export const APPLIANCES_PATH = '/api/v1/private-cloud-services/appliances';

/** Bytes of one OVA. */
const SIZE_MOST = 2 ** 40;

const overwrite = v.optional(
  v.pipe(v.boolean(), v.description('Replaces an existing file of this name. Default false.')),
);
const expected = v.optional(
  v.pipe(v.nullable(sha256Schema('SHA-256 that the whole file must have; compared before it is visible.'))),
);

export const uploadCreateSchema = component(
  'DepotUploadCreate',
  v.strictObject({
    name: applianceNameSchema,
    size_bytes: v.pipe(
      integerSchema,
      v.minValue(1, 'An empty file is no OVA.'),
      v.maxValue(SIZE_MOST, 'At most 1 TiB.'),
      v.description('Bytes of the whole file.'),
    ),
    sha256: expected,
    overwrite,
  }),
  {
    name: 'SDDC-Manager-9.1.ova',
    size_bytes: 2147483648,
    sha256: '3f0c9b7a5d1e48c26b90f7ae13d25c84e6719ab0c3d4f58217e60b9ad84c1f35',
  },
);
export type UploadCreate = v.InferOutput<typeof uploadCreateSchema>;

export const uploadCompleteSchema = component('DepotUploadComplete', v.strictObject({ sha256: expected, overwrite }), {
  sha256: '3f0c9b7a5d1e48c26b90f7ae13d25c84e6719ab0c3d4f58217e60b9ad84c1f35',
  overwrite: false,
});
export type UploadComplete = v.InferOutput<typeof uploadCompleteSchema>;

export const uploadParam = idParam('upload_id', 'Id of the upload.');

const uploadId = text('Id of the upload.');
const fault = v.object({
  code: text('For programs: one word for the kind of fault. More may be added.'),
  detail: text('What is wrong, for people.'),
});

export const uploadSchema = component(
  'DepotUpload',
  v.object({
    upload_id: uploadId,
    name: text('Name of the file.'),
    size_bytes: v.pipe(integerSchema, v.description('Of the whole file.')),
    received_bytes: v.pipe(integerSchema, v.description('Bytes that have arrived; the next piece begins here.')),
    piece_most: v.pipe(integerSchema, v.description(`Bytes of a piece, at most: ${PIECE_MOST}.`)),
    sha256: v.pipe(v.nullable(v.string()), v.description('As given; null: nothing is compared.')),
    overwrite: described(v.boolean(), 'Whether a file of this name is to be replaced.'),
    state: v.pipe(
      v.picklist(UPLOAD_STATES),
      v.description(
        'receiving: takes pieces, or waits to be completed. completing: a job works on it. done: the file is in the depot; that is remembered for a day.',
      ),
    ),
    job_id: v.pipe(v.nullable(v.string()), v.description('The job that completes it, or did so last.')),
    fault: v.pipe(
      v.nullable(fault),
      v.description('Why it could not be completed; its bytes are kept, and it can be completed again.'),
    ),
    created_by: createdBy,
    created_at: instantSchema,
  }),
);
export const uploadListSchema = listOf('DepotUploadList', uploadSchema);

export const receivedSchema = component(
  'DepotUploadReceived',
  v.object({
    upload_id: uploadId,
    received_bytes: v.pipe(integerSchema, v.description('Bytes that have arrived; the next piece begins here.')),
    size_bytes: described(integerSchema, 'Bytes of the whole file.'),
  }),
);

const file = v.object({
  file: v.pipe(v.string(), v.description('Name of the file.')),
  size_bytes: described(integerSchema, 'Bytes of the file.'),
  modified_at: instantSchema,
  version: v.pipe(v.nullable(v.string()), v.description('By the name of the file.')),
});
export const applianceListSchema = component(
  'DepotApplianceList',
  v.object({ items: described(v.array(file), 'The files, newest version first.') }),
);

const signature = v.pipe(
  v.object({
    subject: v.pipe(v.string(), v.description('The signer, as the certificate names it.')),
    issuer: text('The issuer, as the certificate names it.'),
    sha256: v.pipe(
      v.string(),
      v.description('SHA-256 of the signer’s certificate, to compare with the one that the vendor publishes.'),
    ),
    algorithm: text('Digest of the signature, such as sha256.'),
    not_before: instantSchema,
    not_after: instantSchema,
    validity: v.pipe(
      v.picklist(SIGNATURE_VALIDITIES),
      v.description('Validity now. An expired certificate refuses nothing.'),
    ),
    chain: v.pipe(
      v.picklist(SIGNATURE_CHAINS),
      v.description(
        'complete: to a root in the file. self-signed: the certificate is its own root. unknown: the file has no root. No root is trusted by itself.',
      ),
    ),
  }),
  v.description('The manifest’s signature, verified; null when it has none. A wrong signature is a fault of the OVA.'),
);

export const applianceSchema = component(
  'DepotAppliance',
  v.object({
    ...file.entries,
    ova: v.pipe(
      v.nullable(
        v.object({
          product: described(
            v.object({
              name: text('Name of the product.'),
              vendor: text('Who makes it.'),
              version: text('Version of the product.'),
              full_version: text('Version with the build.'),
            }),
            'Which product it is.',
          ),
          networks: described(v.array(v.string()), 'Names of the networks that a deployment connects.'),
          property_count: v.pipe(integerSchema, v.description('Properties that a deployment can set.')),
          deployment_options: described(v.array(v.string()), 'Names of the sizes that it can be deployed in.'),
          disk_bytes: v.pipe(integerSchema, v.description('Capacity of its disks, all together.')),
          signature: v.nullable(signature),
        }),
      ),
      v.description('What its descriptor says; null when it can’t be read.'),
    ),
    fault: v.pipe(
      v.nullable(fault),
      v.description('Why it can’t be deployed; null when nothing was found. Disks are compared by the deployment.'),
    ),
  }),
);

export const applianceParam = v.strictObject({
  file: v.pipe(v.string(), v.maxLength(255), v.description('Name of the file.')),
});
