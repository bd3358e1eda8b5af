// Asks before a certificate is revoked, and why it is.
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findIssued, REVOCATION_REASONS } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { certificateParam } from '../../shared/platform/certificate-authority/schemas.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions, RadioField } from '../components/form.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { titleOf } from './certificate.tsx';
import { REASON_WORDS } from './certificate-words.tsx';
import { AUTHORITY, CERTIFICATES } from './trail.tsx';

export const page = definePage({
  id: 'revokeCertificatePage',
  path: `${pageRoute('certificate')}/revoke`,
  current: AUTHORITY.href,
  access: { session: 'write:ca' },
  params: certificateParam,
  load: ({ db, params, now }) => findIssued(db, params.certificate_id, now),
  title: (certificate) => `Revoke ${titleOf(certificate)}`,
  view({ data: certificate, state, outcome }) {
    const { id, names, serial_number } = certificate;
    const name = titleOf(certificate);
    const href = pagePath('certificate', id);
    const typed = typedInto('revokeCertificateForm', outcome);
    return (
      <>
        <PageHead
          trail={[AUTHORITY, CERTIFICATES, { href, label: <code>{name}</code> }]}
          here="Revoke"
          title={
            <>
              Revoke <span class="mono">{name}</span>?
            </>
          }
        />
        <Refused typed={typed} labels={{ revocation_reason: 'Reason' }} />
        <p>
          The revocation list is signed anew and names it. Machines that read the list refuse the certificate then;
          those that don’t go on trusting it until it ends. The portal that publishes the list does not run yet:
          download the list and give it to whoever checks it.
        </p>
        <FactsList
          facts={[
            { label: 'Names and addresses', value: <Codes items={names} /> },
            { label: 'Serial number', value: <code class="wrap">{serial_number}</code> },
          ]}
        />
        <Form action={`${href}/revoke`} csrf={state.csrf} label={`Revoke ${name}`}>
          <RadioField
            name="revocation_reason"
            label="Reason"
            value={typed.text('revocation_reason', 'unspecified')}
            error={typed.of('revocation_reason')}
            options={REVOCATION_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }))}
            help="Only a hold can be taken back."
          />
          <FormActions>
            <Button kind="bad">Revoke certificate</Button>
            <ButtonLink href={href}>Keep it</ButtonLink>
          </FormActions>
        </Form>
      </>
    );
  },
});
