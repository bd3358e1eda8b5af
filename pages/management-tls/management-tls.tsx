// Management TLS: which certificate the management UI shows, which one was uploaded, and what is wrong.
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Described } from '../../shared/services/management-tls/desired.ts';
import { endingSoon } from '../../shared/services/management-tls/ending.ts';
import { type ManagementTlsState, managementTlsState } from '../../shared/services/management-tls/state.ts';
import { SOURCE_WORDS } from '../../shared/services/management-tls/words.ts';
import { Block } from '../components/block.tsx';
import { ButtonLink } from '../components/button.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes, List } from '../units/listing.tsx';
import { ServiceState } from '../units/service-state.tsx';
import { EndingNote } from './ending-note.tsx';
import { MANAGEMENT_TLS } from './words.ts';

interface Data extends ManagementTlsState {
  /** When the one that is shown ends, where that is near or past. */
  ending: string | null;
}

export const page = definePage({
  id: 'managementTlsPage',
  path: MANAGEMENT_TLS.href,
  access: { session: 'read:management-tls' },
  load: async ({ db, services, now }): Promise<Data> => ({
    ...(await managementTlsState(db, services.settings)),
    ending: endingSoon(services.settings, now.toISOString()),
  }),
  title: () => 'Management TLS',
  view: ManagementTls,
});

function ManagementTls({ data, state }: ViewProps<Data>) {
  const { shown, fault, source, uploaded } = data;
  const writes = state.user.scopes.includes('write:management-tls');
  const enabled = source !== 'self_signed';
  const inUse = source === 'uploaded' || (shown?.applied === true && shown.sha256 === uploaded?.sha256);
  return (
    <>
      <PageHead title="Management TLS" intro="The certificate that this management UI shows to browsers and programs.">
        {writes && <ButtonLink href={pagePath('management-tls-upload')}>Upload a certificate</ButtonLink>}
        <ButtonLink href={pagePath('management-tls-settings')}>Settings</ButtonLink>
      </PageHead>
      {data.ending !== null && <EndingNote not_after={data.ending} now={state.now} />}
      {fault !== null && <Block title="The applied certificate is not shown">{fault}</Block>}
      <FactsList
        facts={[
          { label: 'Source', value: SOURCE_WORDS[source] },
          {
            label: 'State',
            value: <ServiceState standings={state.standings} unit="management-tls" enabled={enabled} />,
          },
        ]}
      />
      <List title="Shown now">
        {shown ? (
          <FactsList
            facts={[{ label: 'Kind', value: <Kind applied={shown.applied} /> }, ...factsOf(shown, state.now)]}
          />
        ) : (
          <p class="muted">The management UI speaks no TLS here.</p>
        )}
      </List>
      <List title="Uploaded">
        {uploaded ? (
          <>
            <FactsList
              facts={[
                ...factsOf(uploaded, state.now),
                { label: 'Key', value: uploaded.key_algorithm },
                {
                  label: 'Uploaded',
                  value: (
                    <>
                      <Instant at={uploaded.created_at} now={state.now} /> by {uploaded.created_by}
                    </>
                  ),
                },
              ]}
            />
            {writes && !inUse && (
              <p>
                <ButtonLink kind="row" href={pagePath('management-tls-remove')}>
                  Remove it…
                </ButtonLink>
              </p>
            )}
          </>
        ) : (
          <p class="muted">No certificate was uploaded.</p>
        )}
      </List>
    </>
  );
}

function Kind({ applied }: { applied: boolean }) {
  return applied ? (
    <State kind="ok">The applied one</State>
  ) : (
    <State kind="off">The one that the service was started with</State>
  );
}

const factsOf = ({ subject, issuer, names, sha256, not_after }: Described, now: string): Fact[] => [
  { label: 'Subject', value: subject || 'none' },
  { label: 'Issuer', value: issuer || 'none' },
  { label: 'For', value: <Codes items={names} /> },
  { label: 'SHA-256', value: <code>{sha256}</code> },
  { label: 'Ends', value: <Instant at={not_after} now={now} /> },
];
