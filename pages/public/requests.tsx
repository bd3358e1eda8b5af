// What somebody asked for: own requests alone, the newest first.
import * as v from 'valibot';
import { requireOffered } from '../../shared/appliance/overview/public-settings.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { type CertificateRequest, listRequests } from '../../shared/platform/certificate-authority/request-store.ts';
import { PROFILE_WORDS, REQUEST_WORDS } from '../certificate-authority/certificate-words.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Pagination } from '../components/pagination.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { ExactInstant } from '../components/time.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { NEW_REQUEST, REQUESTS, SignedIn } from './parts.tsx';

const OF_A_PAGE = 50;

interface Data {
  name: string;
  page: Page<CertificateRequest>;
}

export const page = definePlainPage({
  id: 'publicCertificateRequestsPage',
  path: REQUESTS,
  plane: 'public',
  access: { session: 'read:ca-requests' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  async load({ db, actor, query }): Promise<Data> {
    await requireOffered(db, 'certificate_requests');
    return {
      name: actor.name,
      page: await listRequests(db, { by: actor.name, cursor: query.cursor, limit: OF_A_PAGE }),
    };
  },
  title: () => 'Your certificate requests',
  view: ({ data: { name, page: found }, state }) => (
    <>
      <h1>Your certificate requests</h1>
      <SignedIn name={name} csrf={state.csrf} />
      <div class="actions">
        <ButtonLink kind="primary" icon="plus" href={NEW_REQUEST}>
          Ask for a certificate
        </ButtonLink>
      </div>
      <DataTable
        caption="Your certificate requests, the newest first"
        columns={[
          {
            key: 'subject',
            label: 'Request',
            cell: ({ id, names, subject }) => <a href={`${REQUESTS}/${id}`}>{names[0] ?? (subject || id)}</a>,
          },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: ({ state: is }) => <State kind={REQUEST_WORDS[is].kind}>{REQUEST_WORDS[is].word}</State>,
          },
          { key: 'profile', label: 'Profile', cell: ({ profile }) => PROFILE_WORDS[profile].word },
          { key: 'at', label: 'Asked', look: 'nowrap', cell: ({ created_at }) => <ExactInstant at={created_at} /> },
        ]}
        rows={found.items}
        rowKey={({ id }) => id}
        empty="You asked for no certificate yet."
      />
      <Pagination place={{ path: REQUESTS, query: state.query }} nextCursor={found.next_cursor} />
    </>
  ),
});
