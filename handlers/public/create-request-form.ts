// The form of the public pages that asks for a certificate.
import * as v from 'valibot';
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { defineForm } from '../../shared/kernel/operation/define-operation.ts';
import type { RequestWithKey } from '../../shared/platform/certificate-authority/csr.ts';
import { OWN_PROFILES, requireRoom, takeTurn } from '../../shared/platform/certificate-authority/own-requests.ts';
import { requestCreateSchema } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { askedEvent, createRequest } from '../../shared/platform/certificate-authority/request-store.ts';
import { operation as createRequestOperation } from '../certificate-authority/create-request.ts';

const { csr, note } = requestCreateSchema.entries;

export const operation = defineForm(
  {
    of: createRequestOperation,
    id: 'publicCreateCertificateRequestForm',
    plane: 'public',
    path: pagePath('public-requests'),
    access: { session: 'write:ca-requests' },
    description:
      'Keeps the signing request until somebody who may write the authority decides. 20 requests of an account wait at a time. An authority below this one is not asked for here.',
    body: v.strictObject({
      csr,
      profile: v.picklist(OWN_PROFILES, `Choose one of: ${OWN_PROFILES.join(', ')}.`),
      note,
    }),
    problems: ['state_conflict', 'too_many_attempts'],
    async prepare({ services, actor, body }) {
      await requireOffered(services.store, 'certificate_requests');
      takeTurn(services, actor.name);
      const { parseRequest } = await import('../../shared/platform/certificate-authority/csr.ts');
      return parseRequest(body.csr);
    },
    async run({ tx, services, actor, body: { csr: _csr, ...wanted }, audit, prepared }) {
      const parsed = prepared as RequestWithKey;
      await requireRoom(tx, actor.name);
      const created = await createRequest(tx, services, actor.name, parsed, wanted);
      audit(askedEvent(created, parsed));
      return { body: { id: created.id } };
    },
  },
  {
    page: `${pagePath('public-requests')}/new`,
    decode: (fields) => ({ csr: fields.text('csr'), profile: fields.text('profile'), note: fields.text('note') }),
    done: ({ body }) => ({ location: `${pagePath('public-requests')}/${(body as { id: string }).id}` }),
  },
);
