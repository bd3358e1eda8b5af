// The form that approves a certificate request, with its names as they were edited.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import { linesOf, numberOf } from '../forms/certificate-fields.ts';
import { operation as approveRequest } from './approve-request.ts';

export const operation = defineForm(
  { of: approveRequest, path: `${pageRoute('certificate-request')}/approve`, access: { session: 'write:ca' } },
  {
    page: pageRoute('certificate-request'),
    decode: (fields) => ({ names: linesOf(fields.text('names')), ...numberOf(fields, 'validity_days') }),
    done: ({ body }) => ({
      location: pagePath('certificate', (body as { id: string }).id),
      flash: 'The request is approved, and the certificate issued.',
    }),
  },
);
