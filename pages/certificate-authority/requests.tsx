// Certificate requests: what waits for a decision, and what was decided.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { REQUEST_STATES } from '../../shared/platform/certificate-authority/request-states.ts';
import { type CertificateRequest, listRequests } from '../../shared/platform/certificate-authority/request-store.ts';
import { ButtonLink } from '../components/button.tsx';
import { State } from '../components/state-word.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { Codes } from '../units/listing.tsx';
import { ListPage } from '../units/row-list.tsx';
import { PROFILE_WORDS, REQUEST_WORDS } from './certificate-words.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = pagePath('certificate-requests');
const OF_A_PAGE = 50;

interface Data {
  page: Page<CertificateRequest>;
  chosen: string;
}

export const page = definePage({
  id: 'certificateRequestsPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'read:ca-requests' },
  query: v.object({ state: v.optional(v.string(), ''), cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  async load({ db, query }): Promise<Data> {
    const state = REQUEST_STATES.find((known) => known === query.state);
    const found = await listRequests(db, { state, cursor: query.cursor, limit: OF_A_PAGE });
    return { page: found, chosen: state ?? '' };
  },
  title: () => 'Certificate requests',
  view({ data: { page: found, chosen }, state }) {
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
        listed={{ items: found.items, next: found.next_cursor, at: state.query }}
        outcome={null}
        csrf={state.csrf}
        href={PATH}
        segments={{
          name: 'state',
          label: 'State',
          value: chosen,
          options: [
            { value: '', label: 'All' },
            ...REQUEST_STATES.map((value) => ({ value, label: REQUEST_WORDS[value].word })),
          ],
        }}
        caption="Certificate requests, the newest first"
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
            key: 'at',
            label: 'Asked',
            look: 'nowrap',
            cell: ({ created_at }) => <Instant at={created_at} now={state.now} />,
          },
          { key: 'by', label: 'By', cell: ({ created_by }) => created_by },
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
