// The form that makes a certificate and key for a client; its page gives both once.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { clientMakeSchema } from '../../shared/services/kms/schemas.ts';
import { linesOf } from '../forms/certificate-fields.ts';
import { operation as makeKmsClient, pairFor } from './make-client.ts';

const PAGE = `${pagePath('kms-clients')}/with-key`;

export const operation = defineForm(
  {
    of: makeKmsClient,
    path: PAGE,
    body: v.omit(clientMakeSchema, ['own_password']),
    prepare: pairFor,
  },
  {
    page: PAGE,
    confirms: { resource_type: 'kms_client' },
    decode: (fields) => ({
      provider_id: fields.text('provider_id'),
      name: fields.text('name'),
      names: linesOf(fields.text('names')),
    }),
    done: () => ({ location: pagePath('kms') }),
    shows: true,
  },
);
