// One issued certificate: what it says, its files, and what can be done with it.

import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { findIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { type Reliance, relyingParties } from '../../shared/platform/certificate-authority/relying-parties.ts';
import { certificateParam } from '../../shared/platform/certificate-authority/schemas.ts';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import { FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOnlyRead, Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { ALGORITHMS, CERTIFICATE_WORDS, PROFILE_WORDS, purposeWord, REASON_WORDS } from './certificate-words.tsx';
import { RelyingParties } from './relying-parties.tsx';
import { AUTHORITY, CERTIFICATES } from './trail.tsx';

type Issued = Awaited<ReturnType<typeof findIssued>>;
type Data = Issued & { reliance: Reliance };

export const page = definePage({
  id: 'certificatePage',
  path: pageRoute('certificate'),
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  params: certificateParam,
  async load({ db, params, now }): Promise<Data> {
    const issued = await findIssued(db, params.certificate_id, now);
    return { ...issued, reliance: await relyingParties(db, params.certificate_id) };
  },
  title: (certificate) => titleOf(certificate),
  view: Certificate,
});

export const titleOf = ({ names, subject, id }: Pick<Issued, 'names' | 'subject' | 'id'>): string =>
  names[0] ?? (subject || id);

function Certificate({ data: certificate, state, outcome }: ViewProps<Data>) {
  const { id, names, subject, sha256, serial_number, key_algorithm, not_before, not_after, pem } = certificate;
  const { kind, word } = CERTIFICATE_WORDS[certificate.state];
  const { revoked_at, revocation_reason, purpose, profile, created_at, created_by } = certificate;
  return (
    <>
      <PageHead title={<span class="mono">{titleOf(certificate)}</span>} trail={[AUTHORITY, CERTIFICATES]} />
      <Refused typed={typedInto(outcome?.operation_id ?? '', outcome)} labels={{}} />
      <FactsList
        facts={[
          { label: 'State', value: <State kind={kind}>{word}</State> },
          ...(revoked_at !== null && revocation_reason !== null
            ? [
                { label: 'Revoked', value: <Instant at={revoked_at} now={state.now} /> },
                { label: 'Reason', value: REASON_WORDS[revocation_reason] },
              ]
            : []),
          { label: 'Subject', value: subject || <span class="muted">none</span> },
          { label: 'Names and addresses', value: <Codes items={names} /> },
          { label: 'Profile', value: PROFILE_WORDS[profile].word },
          ...(purpose === '' ? [] : [{ label: 'Serves', value: purposeWord(purpose) }]),
          { label: 'Valid from', value: <ExactInstant at={not_before} /> },
          { label: 'Valid until', value: <ExactInstant at={not_after} /> },
          { label: 'Key', value: ALGORITHMS[key_algorithm] },
          { label: 'SHA-256', value: <Copyable id="sha256" text={sha256} /> },
          { label: 'Serial number', value: <code class="wrap">{serial_number}</code> },
          {
            label: 'Issued',
            value: (
              <>
                <Instant at={created_at} now={state.now} /> <span class="muted">by {created_by}</span>
              </>
            ),
          },
        ]}
      />
      <Actions certificate={certificate} csrf={state.csrf} writes={state.user.scopes.includes('write:ca')} />
      {certificate.replaced_at === null && revoked_at === null && (
        <RelyingParties of={certificate.reliance} purpose={purpose} now={state.now} />
      )}
      <section class="below" aria-labelledby="files">
        <h2 id="files">Files</h2>
        <div class="actions">
          <ButtonLink href={fileHref(id, 'pem')}>PEM</ButtonLink>
          <ButtonLink href={fileHref(id, 'chain')}>PEM with the chain</ButtonLink>
          <ButtonLink href={fileHref(id, 'der')}>DER</ButtonLink>
          <ButtonLink href={fileHref(id, 'pkcs7')}>PKCS #7</ButtonLink>
        </div>
        <More summary="The certificate as text">
          <CodeBlock label="The certificate as PEM">{pem}</CodeBlock>
        </More>
      </section>
    </>
  );
}

const fileHref = (id: string, format: string): string => `${pagePath('certificate', id)}/file?format=${format}`;

function Actions({ certificate, csrf, writes }: { certificate: Issued; csrf: string; writes: boolean }) {
  const { id, revoked_at, replaced_at, revocation_reason } = certificate;
  const href = pagePath('certificate', id);
  const unavailable = writes ? undefined : mayOnlyRead('the certificate authority');
  const final = revoked_at !== null && revocation_reason !== 'certificateHold';
  return (
    <div class="actions">
      {replaced_at === null && revoked_at === null && (
        <PostButton action={`${href}/renew`} csrf={csrf} unavailable={unavailable}>
          Reissue
        </PostButton>
      )}
      {revocation_reason === 'certificateHold' && (
        <PostButton action={`${href}/release`} csrf={csrf} unavailable={unavailable}>
          Take off hold
        </PostButton>
      )}
      {!final && writes && <ButtonLink href={`${href}/revoke`}>Revoke</ButtonLink>}
    </div>
  );
}
