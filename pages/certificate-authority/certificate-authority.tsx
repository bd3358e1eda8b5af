// The certificate authority: its root, how other machines come to trust it, and what it issued.

import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { isKeyringFault } from '../../shared/ground/sealing/keyring.ts';
import type { Database } from '../../shared/ground/store/database.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import {
  AUTHORITY_PAGE,
  type RootCertificate,
  type RootState,
  readAuthority,
  rootAndState,
  rootCertificate,
} from '../../shared/platform/certificate-authority/authority.ts';
import { type IssuedCertificate, listIssued } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { TRUST_TASK } from '../../shared/vcf/remote/wizard.ts';
import { Block, Note } from '../components/block.tsx';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { CodeBlock, More } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import { type Fact, FactsList } from '../components/facts.tsx';
import { State } from '../components/state-word.tsx';
import { ExactInstant, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOnlyRead, Refused, typedInto } from '../layout/form-state.tsx';
import { mayOpen } from '../layout/may-open.ts';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { List } from '../units/listing.tsx';
import { ReadinessList } from '../units/readiness.tsx';
import { ALGORITHMS, pathLengthWord, ROOT_STATES } from './certificate-words.tsx';
import { IssuedTable } from './issued-table.tsx';

/** Certificates on the page. */
const MOST = 50;

type Root = RootCertificate & { state: RootState };

interface Data {
  readiness: Readiness;
  root: Root | null;
  /** Why the file of keys can't be used. */
  fault: string | null;
  settings: Awaited<ReturnType<typeof readAuthority>>;
  issued: IssuedCertificate[];
  more: boolean;
}

export const page = definePage({
  id: 'certificateAuthorityPage',
  path: AUTHORITY_PAGE,
  access: { session: 'read:ca' },
  async load({ db, services, standings, now }): Promise<Data> {
    const { items: issued, next_cursor } = await listIssued(db, { limit: MOST, now });
    const settings = await readAuthority(db);
    const readiness = await readinessOf(services, 'certificate-authority', standings);
    return { readiness, ...(await rootOrFault(db, services)), settings, issued, more: next_cursor !== null };
  },
  title: () => 'Certificate authority',
  view: Authority,
});

async function rootOrFault(db: Database, services: Services): Promise<Pick<Data, 'root' | 'fault'>> {
  try {
    return { root: await rootAndState(db, services), fault: null };
  } catch (error) {
    if (!isKeyringFault(error)) throw error;
    const root = await rootCertificate(db);
    return { root: root && { ...root, state: 'unusable' }, fault: error.message };
  }
}

type Props = ViewProps<Data>;

function Authority({ data, state, outcome }: Props) {
  const { readiness, root, fault, issued, more, settings } = data;
  const form = outcome?.operation_id ?? '';
  return (
    <>
      <PageHead
        title="Certificate authority"
        intro="A root of trust for the lab. Clients that trust it trust the services of this appliance."
      >
        <ButtonLink href={pagePath('certificates')}>Certificates</ButtonLink>
        <ButtonLink href={pagePath('certificate-requests')}>Requests</ButtonLink>
        <ButtonLink href={pagePath('certificate-profiles')}>Profiles</ButtonLink>
        <ButtonLink href={`${AUTHORITY_PAGE}/settings`}>Settings</ButtonLink>
      </PageHead>
      <Refused typed={typedInto(form, outcome)} labels={{}} />
      {fault !== null && <Block title="The keys file can’t be used">{fault}</Block>}
      {root !== null && <ReadinessList of={readiness} state={state} />}
      {root ? (
        <RootCard root={root} state={state} settings={settings} fault={fault} />
      ) : (
        <NoRoot data={data} state={state} />
      )}
      <List title="Issued certificates">
        <IssuedTable certificates={issued} root={root} custody={settings.enabled} state={state} />
        {more && <Note>The newest {MOST} are shown.</Note>}
      </List>
    </>
  );
}

interface MakeProps {
  state: ShellState;
  settings: Data['settings'];
  fault: string | null;
  again?: boolean;
}

function MakeRoot({ state, settings, fault, again = false }: MakeProps) {
  const reader = state.user.scopes.includes('write:ca') ? undefined : mayOnlyRead('the certificate authority');
  return (
    <PostButton
      kind={again ? 'bad' : 'primary'}
      action={AUTHORITY_PAGE}
      csrf={state.csrf}
      unavailable={reader ?? (fault === null ? undefined : 'The keys file can’t be used.')}
    >
      {again ? 'Make a new root certificate' : 'Make the root certificate'}
      {!settings.enabled && ' and switch custody on'}
    </PostButton>
  );
}

/** What would be made, as saved. */
const wantedFacts = ({
  common_name,
  organization,
  key_algorithm,
  root_validity_days,
  path_length,
}: Data['settings']): Fact[] => [
  { label: 'Common name', value: common_name },
  { label: 'Organization', value: organization || <span class="muted">none</span> },
  { label: 'Key', value: ALGORITHMS[key_algorithm] },
  { label: 'Valid for', value: `${root_validity_days} days` },
  { label: 'Path length', value: pathLengthWord(path_length) },
];

function NoRoot({ data: { settings, fault }, state }: { data: Data; state: ShellState }) {
  return (
    <section class="root" aria-labelledby="root">
      <h2 id="root">Root certificate</h2>
      <p>
        There is none yet. It is made once, from what is saved in the settings; its private key stays on this appliance,
        sealed under the key of the vaults.
      </p>
      <FactsList facts={wantedFacts(settings)} />
      <div class="actions">
        <MakeRoot state={state} settings={settings} fault={fault} />
        {state.user.scopes.includes('write:ca') && (
          <ButtonLink href={`${AUTHORITY_PAGE}/root/import`}>Import one</ButtonLink>
        )}
      </div>
    </section>
  );
}

function RootCard({ root, state, settings, fault }: MakeProps & { root: Root }) {
  const { kind, word, wayOut } = ROOT_STATES[root.state];
  return (
    <section class="root" aria-labelledby="root">
      <h2 id="root">Root certificate</h2>
      {wayOut !== null && fault === null && (
        <Block title={word} actions={<MakeRoot again state={state} settings={settings} fault={fault} />}>
          {wayOut}
        </Block>
      )}
      <FactsList
        facts={[
          { label: 'State', value: <State kind={kind}>{word}</State> },
          { label: 'Subject', value: root.subject },
          { label: 'SHA-256', value: <Copyable id="root-sha256" text={root.sha256} /> },
          { label: 'Valid from', value: <ExactInstant at={root.not_before} /> },
          {
            label: 'Valid until',
            value: (
              <>
                <ExactInstant at={root.not_after} />{' '}
                <span class="muted">
                  <Instant at={root.not_after} now={state.now} />
                </span>
              </>
            ),
          },
          { label: 'Key', value: ALGORITHMS[root.key_algorithm] },
          { label: 'Path length', value: pathLengthWord(root.path_length) },
          { label: 'Serial number', value: <code class="wrap">{root.serial_number}</code> },
          {
            label: 'Made',
            value: (
              <>
                <Instant at={root.created_at} now={state.now} /> <span class="muted">by {root.created_by}</span>
              </>
            ),
          },
        ]}
      />
      {root.state === 'valid' && !settings.enabled && (
        <Note>Custody is off: nothing is issued or renewed. What was issued stays in use.</Note>
      )}
      <div class="actions">
        <ButtonLink kind="primary" href={`${AUTHORITY_PAGE}/root.pem`}>
          Download the certificate
        </ButtonLink>
        <ButtonLink href={`${AUTHORITY_PAGE}/root.crl`}>Download the revocation list</ButtonLink>
        {mayOpen(state.user, TRUST_TASK.path) && (
          <ButtonLink href={TRUST_TASK.path} dialog>
            Have a VCF appliance trust it
          </ButtonLink>
        )}
        <ButtonLink href={`${AUTHORITY_PAGE}/root/next`}>Next root</ButtonLink>
        {state.user.scopes.includes('write:ca') && (
          <ButtonLink href={`${AUTHORITY_PAGE}/root/export`}>Export with its key</ButtonLink>
        )}
      </div>
      <More summary="For other machines">
        <p>
          Compare the SHA-256 there with the one above. As PEM, for whatever takes it pasted (vCenter: Administration,
          Certificates, Trusted Root):
        </p>
        <CodeBlock label="The certificate as PEM">{root.pem}</CodeBlock>
        <p>On a Debian or Ubuntu machine, with the downloaded file:</p>
        <CodeBlock label="On Debian or Ubuntu">
          {`install -m 0644 ${FILE} /usr/local/share/ca-certificates/groundcrew-root-ca.crt\nupdate-ca-certificates`}
        </CodeBlock>
        <p>On Red Hat or Fedora:</p>
        <CodeBlock label="On Red Hat or Fedora">
          {`install -m 0644 ${FILE} /etc/pki/ca-trust/source/anchors/\nupdate-ca-trust`}
        </CodeBlock>
        <p>On Windows, as an administrator:</p>
        <CodeBlock label="On Windows">{`certutil -addstore -f Root ${FILE}`}</CodeBlock>
      </More>
    </section>
  );
}

const FILE = 'groundcrew-root-ca.pem';
