// Rolling over to another root: the next one stands beside the one that signs until everybody trusts it.

import { AUTHORITY_PAGE } from '../../shared/platform/certificate-authority/authority.ts';
import { type AuthorityRow, newestRoot } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { nextRow } from '../../shared/platform/certificate-authority/next-root.ts';
import { type RelyingParty, trustOnly } from '../../shared/platform/certificate-authority/relying-parties.ts';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { CodeBlock } from '../components/code.tsx';
import { Copyable } from '../components/copyable.tsx';
import { FactsList } from '../components/facts.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { mayOnlyRead, Refused, typedInto } from '../layout/form-state.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ALGORITHMS } from './certificate-words.tsx';
import { TrustPresentOnly } from './relying-parties.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = `${AUTHORITY_PAGE}/root/next`;

interface Data {
  signing: AuthorityRow | null;
  next: AuthorityRow | null;
  presentOnly: RelyingParty[];
}

export const page = definePage({
  id: 'nextRootCertificatePage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  async load({ db }): Promise<Data> {
    const signing = (await newestRoot(db)) ?? null;
    const next = (await nextRow(db)) ?? null;
    return { signing, next, presentOnly: signing ? await trustOnly(db, signing.sha256, next?.sha256 ?? null) : [] };
  },
  title: () => 'Next root certificate',
  view: Next,
});

function Next({ data: { signing, next, presentOnly }, state, outcome }: ViewProps<Data>) {
  const unavailable = state.user.scopes.includes('write:ca') ? undefined : mayOnlyRead('the certificate authority');
  const post = { csrf: state.csrf, unavailable };
  return (
    <>
      <PageHead
        title="Next root certificate"
        trail={[AUTHORITY]}
        here="Next root"
        intro="Another root, trusted beforehand, replaces the root that signs now."
      />
      <Refused typed={typedInto(outcome?.operation_id ?? '', outcome)} labels={{}} />
      <ol class="procedure">
        <li>The next root is made, or imported. The present one goes on signing.</li>
        <li>Every machine is made to trust the next root, beside the present one.</li>
        <li>
          The next root takes over. Services of the appliance get certificates of it; those that others have stay valid
          until they end, for whoever still trusts the former root.
        </li>
      </ol>
      {signing !== null && <FactsList facts={[{ label: 'Signs now', value: signing.subject }]} />}
      {next === null ? (
        <div class="actions">
          <PostButton kind="primary" action={PATH} {...post}>
            Make the next root certificate
          </PostButton>
          {unavailable === undefined && <ButtonLink href={`${AUTHORITY_PAGE}/root/import`}>Import it</ButtonLink>}
        </div>
      ) : (
        <>
          <FactsList
            facts={[
              { label: 'Next', value: next.subject },
              { label: 'SHA-256', value: <Copyable id="next-sha256" text={next.sha256} /> },
              { label: 'Valid until', value: <ExactInstant at={next.not_after} /> },
              { label: 'Key', value: ALGORITHMS[next.key_algorithm] },
            ]}
          />
          <CodeBlock label="The next root certificate as PEM">{next.certificate_pem}</CodeBlock>
          <div class="actions">
            <PostButton kind="primary" action={`${PATH}/take-over`} {...post}>
              Let it take over
            </PostButton>
            <PostButton kind="bad" action={`${PATH}/discard`} {...post}>
              Discard it
            </PostButton>
          </div>
        </>
      )}
      <TrustPresentOnly items={presentOnly} next={next !== null} />
    </>
  );
}
