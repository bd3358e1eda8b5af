// Certificate trust: the certificate that the appliance is to trust. Keeps it for the review.
import * as v from 'valibot';
import { trustedTarget } from '../../shared/vcf/connection/reach.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import {
  OWN_OR_PASTED,
  ownCaCertificate,
  PEM_MOST,
  readCaCertificate,
} from '../../shared/vcf/remote/ca-certificate.ts';
import { findDraft, keepDraft, requireDraft, updateDraft } from '../../shared/vcf/remote/draft.ts';
import { type Place, TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { storedCredential } from '../../shared/vcf/remote/wizard-credential.ts';
import { decodeTexts, onwards, TRUSTED, taskForm } from '../../shared/vcf/remote/wizard-operations.ts';

const body = v.strictObject({
  ...TRUSTED,
  from: v.optional(v.picklist(OWN_OR_PASTED, 'Choose one of these.'), 'paste'),
  certificate: v.optional(v.pipe(v.string(), v.maxLength(PEM_MOST, `At most ${PEM_MOST} characters.`)), ''),
});

export const operation = taskForm(
  TRUST_TASK,
  {
    id: 'certificateTrustCertificateForm',
    at: 'certificate',
    effect: 'immediate',
    summary: 'Give the certificate that is to be trusted',
    description: 'Changes nothing: the certificate is kept for the review.',
    body,
    bodyLimit: 128 << 10,
    audit: 'none',
    guarded: false,
    async prepare({ services, actor, request, body }) {
      const server = serverText(await trustedTarget(services, actor, body.trust));
      const stored = await storedCredential(services.store, actor, body);
      const { now } = request;
      const own = body.from === 'own';
      const certificate = own ? await ownCaCertificate(services.store, now) : readCaCertificate(body.certificate, now);
      // With a stored credential nobody has logged in yet.
      const known = findDraft(services, actor, TRUST_TASK, body.draft, server);
      if (!known && stored) {
        return keepDraft(services, actor, TRUST_TASK, { server, username: '', appliance: null, certificate }).id;
      }
      const draft = known ?? requireDraft(services, actor, TRUST_TASK, body.draft, server);
      return updateDraft(services, draft, { certificate }).id;
    },
    async run({ prepared }) {
      return { body: { draft: prepared } };
    },
  },
  {
    decode: (fields) => ({ ...decodeTexts(body)(fields), from: fields.optional('from') }),
    done: ({ body }, fields) => ({
      location: onwards(TRUST_TASK, fields, { ...(body as Pick<Place, 'draft'>), step: 'review' }),
    }),
  },
);
