// Certificate requests: what waits for a decision, and what was decided.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { REQUEST_STATES } from '../../shared/platform/certificate-authority/request-states.ts';
import {
  type CertificateRequest,
  listRequests,
  REQUEST_SORTS,
  requestFilter,
} from '../../shared/platform/certificate-authority/request-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Codes } from '../units/listing.tsx';
import { type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { PROFILE_WORDS, REQUEST_WORDS } from './certificate-words.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = pagePath('certificate-requests');
const OF_A_PAGE = 50;

interface Data extends ListedRows<CertificateRequest> {
  chosen: string;
}

export const page = definePage({
  id: 'certificateRequestsPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'read:ca-requests' },
  query: v.object(ROW_QUERY),
  async load({ db, query }): Promise<Data> {
    const filter = requestFilter(query);
    const found = await listRequests(db, { ...filter, cursor: query.cursor, limit: OF_A_PAGE });
    return { items: found.items, next: found.next_cursor, at: placeText(query), chosen: filter.state ?? '' };
  },
  title: () => 'Certificate requests',
  view({ data, state }) {
    return (
      <ListPage
        head={{
          title: 'Certificate requests',
          trail: [AUTHORITY],
          here: 'Requests',
          intro: 'Requests wait here for approval.',
        }}
        add={
          state.user.scopes.includes('write:ca-requests') && (
            <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
              Ask for a certificate
            </ButtonLink>
          )
        }
        of="request"
        listed={data}
        outcome={null}
        csrf={state.csrf}
        href={PATH}
        csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state'] }}
        searchLabel="Name, subject, note or who asked"
        sorts={REQUEST_SORTS}
        own={{ key: 'created_at', descending: true }}
        segments={{
          name: 'state',
          label: 'State',
          value: data.chosen,
          options: [
            { value: '', label: 'All' },
            ...REQUEST_STATES.map((value) => ({ value, label: REQUEST_WORDS[value].word })),
          ],
        }}
        caption="Certificate requests, the newest first unless sorted"
        columns={[
          {
            key: 'subject',
            label: 'Request',
            cell: ({ id, names, subject }) => (
              <a href={pagePath('certificate-request', id)}>{names[0] ?? (subject || id)}</a>
            ),
          },
          { key: 'names', label: 'Names and addresses', cell: ({ names }) => <Codes items={names} /> },
          { key: 'profile', label: 'Profile', cell: ({ profile }) => PROFILE_WORDS[profile].word },
          {
            key: 'created_at',
            label: 'Asked',
            look: 'nowrap',
            cell: ({ created_at }) => <Instant at={created_at} now={state.now} />,
          },
          { key: 'created_by', label: 'By', cell: ({ created_by }) => created_by },
          {
            key: 'state',
            label: 'State',
            look: 'nowrap',
            cell: ({ state: is }) => <State kind={REQUEST_WORDS[is].kind}>{REQUEST_WORDS[is].word}</State>,
          },
        ]}
        empty="No request yet."
      />
    );
  },
});
