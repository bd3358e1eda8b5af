// One client: its certificate, and where it was last seen.
import { instant } from '../../shared/ground/clock.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { clientParam } from '../../shared/services/kms/schemas.ts';
import { type Client, findClient } from '../../shared/services/kms/trust/clients.ts';
import { ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ClientState, KMS } from './kms-words.tsx';
import { PemFile } from './pem-file.tsx';

const ORIGINS: Record<Client['origin'], string> = {
  uploaded: 'Its own certificate, uploaded',
  signed: 'Signed here for its request',
  made: 'Made here with its key',
};

export const page = definePage({
  id: 'kmsClientPage',
  path: pageRoute('kms-client'),
  current: KMS.href,
  access: { session: 'read:kms' },
  params: clientParam,
  load: ({ db, params, now }) => findClient(db, params.client_id, instant(now)),
  title: ({ name }) => name,
  view({ data: client, state }) {
    const { id, name, provider_id, origin, subject, sha256, not_after, last_seen_at, last_seen_from } = client;
    return (
      <>
        <PageHead title={name} trail={[KMS, { href: pagePath('kms-provider', provider_id), label: 'Provider' }]}>
          {state.user.scopes.includes('write:kms') && (
            <ButtonLink href={`${pagePath('kms-client', id)}/delete`}>Remove client…</ButtonLink>
          )}
        </PageHead>
        <FactsList
          facts={[
            { label: 'State', value: <ClientState of={client} /> },
            { label: 'Certificate', value: ORIGINS[origin] },
            { label: 'Subject', value: subject === '' ? <span class="muted">none</span> : subject },
            { label: 'SHA-256', value: <code class="wrap">{sha256}</code> },
            { label: 'Valid until', value: <ExactInstant at={not_after} /> },
            {
              label: 'Last seen',
              value:
                last_seen_at === null ? (
                  <span class="muted">never</span>
                ) : (
                  <>
                    <Instant at={last_seen_at} now={state.now} /> from <code>{last_seen_from}</code>
                  </>
                ),
            },
            {
              label: 'File',
              value: <PemFile name={`${id}.pem`} pem={client.certificate} label="Save the certificate" />,
            },
          ]}
        />
      </>
    );
  },
});
