// One request of one's own: what was asked for, what was decided, and the certificate.
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import type { Format } from '../../shared/platform/certificate-authority/file-formats.ts';
import { findOwnRequest } from '../../shared/platform/certificate-authority/own-requests.ts';
import { requestParam } from '../../shared/platform/certificate-authority/request-schemas.ts';
import { RequestFacts } from '../certificate-authority/certificate-new.tsx';
import { PROFILE_WORDS, REQUEST_WORDS } from '../certificate-authority/certificate-words.tsx';
import { ButtonLink } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { REQUESTS, SignedIn } from './parts.tsx';

interface Data {
  name: string;
  request: Awaited<ReturnType<typeof findOwnRequest>>;
}

const FILES: readonly { format: Format; label: string }[] = [
  { format: 'chain', label: 'Download with chain (PEM)' },
  { format: 'pem', label: 'Certificate alone (PEM)' },
  { format: 'der', label: 'DER' },
  { format: 'pkcs7', label: 'PKCS #7' },
];

export const page = definePlainPage({
  id: 'publicCertificateRequestPage',
  path: `${REQUESTS}/{request_id}`,
  plane: 'public',
  access: { session: 'read:ca-requests' },
  params: requestParam,
  async load({ db, actor, params }): Promise<Data> {
    await requireOffered(db, 'certificate_requests');
    return { name: actor.name, request: await findOwnRequest(db, params.request_id, actor.name) };
  },
  title: ({ request: { names, subject, id } }) => names[0] ?? (subject || id),
  view({ data: { name, request }, state }) {
    const { id, state: is, reason, certificate_id, decided_at, note, csr } = request;
    return (
      <>
        <h1>{request.names[0] ?? (request.subject || id)}</h1>
        <SignedIn name={name} csrf={state.csrf} />
        <FactsList
          facts={[
            { label: 'State', value: <State kind={REQUEST_WORDS[is].kind}>{REQUEST_WORDS[is].word}</State> },
            ...(decided_at === null ? [] : [{ label: 'Decided', value: <ExactInstant at={decided_at} /> }]),
            ...(reason === null ? [] : [{ label: 'Reason', value: reason }]),
            { label: 'Profile', value: PROFILE_WORDS[request.profile].word },
            { label: 'Note', value: note || <span class="muted">none</span> },
            { label: 'Asked', value: <ExactInstant at={request.created_at} /> },
          ]}
        />
        <RequestFacts request={request as Parameters<typeof RequestFacts>[0]['request']} />
        <div class="actions">
          {certificate_id !== null &&
            FILES.map(({ format, label }, at) => (
              <ButtonLink
                key={format}
                {...(at === 0 && { kind: 'primary' as const })}
                href={`${REQUESTS}/${id}/certificate?format=${format}`}
              >
                {label}
              </ButtonLink>
            ))}
          <ButtonLink href={REQUESTS}>Your requests</ButtonLink>
        </div>
        <More summary="The request as text">
          <CodeBlock label="The request as PEM">{csr}</CodeBlock>
        </More>
      </>
    );
  },
});
