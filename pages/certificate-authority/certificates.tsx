// All issued certificates: found by name, state and profile, the newest or the first to expire first.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import {
  CERTIFICATE_STATES,
  type IssuedCertificate,
  listIssued,
} from '../../shared/platform/certificate-authority/certificate-store.ts';
import { PROFILES } from '../../shared/platform/certificate-authority/profiles.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { State } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Codes } from '../units/listing.tsx';
import { CERTIFICATE_WORDS, PROFILE_WORDS, profileOptions, purposeWord } from './certificate-words.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = pagePath('certificates');
const OF_A_PAGE = 50;

interface Data {
  page: Page<IssuedCertificate>;
  search: string;
  state: string;
  profile: string;
  sort: 'newest' | 'expiry';
}

const word = v.optional(v.pipe(v.string(), v.maxLength(128)), '');

export const page = definePage({
  id: 'certificatesPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  query: v.object({
    search: word,
    state: word,
    profile: word,
    sort: word,
    cursor: v.optional(v.pipe(v.string(), v.maxLength(512))),
  }),
  async load({ db, query, now }): Promise<Data> {
    const state = CERTIFICATE_STATES.find((known) => known === query.state);
    const profile = PROFILES.find((known) => known === query.profile);
    const sort = query.sort === 'expiry' ? 'expiry' : 'newest';
    const { search, cursor } = query;
    const found = await listIssued(db, { search, state, profile, sort, cursor, limit: OF_A_PAGE, now });
    return { page: found, search, state: state ?? '', profile: profile ?? '', sort };
  },
  title: () => 'Certificates',
  view: Certificates,
});

function Certificates({ data: { page: found, search, state: chosen, profile, sort }, state }: ViewProps<Data>) {
  const place = { path: PATH, query: state.query };
  const filtered = search !== '' || chosen !== '' || profile !== '';
  return (
    <>
      <PageHead title="Certificates" trail={[AUTHORITY]} intro="What the certificate authority issued.">
        {state.user.scopes.includes('write:ca') && (
          <>
            <ButtonLink kind="primary" href={`${PATH}/new`}>
              Issue a certificate
            </ButtonLink>
            <ButtonLink href={`${PATH}/with-key`}>With a new key</ButtonLink>
          </>
        )}
      </PageHead>
      <FilterBar
        place={place}
        search={{ name: 'search', label: 'Name or subject', value: search }}
        selects={[
          {
            name: 'state',
            label: 'State',
            any: 'Any state',
            value: chosen,
            options: CERTIFICATE_STATES.map((value) => ({ value, label: CERTIFICATE_WORDS[value].word })),
          },
          { name: 'profile', label: 'Profile', any: 'Any profile', value: profile, options: profileOptions() },
        ]}
        segments={{
          name: 'sort',
          label: 'Order',
          value: sort === 'newest' ? '' : sort,
          options: [
            { value: '', label: 'Newest first' },
            { value: 'expiry', label: 'First to expire' },
          ],
        }}
      />
      <DataTable
        caption={sort === 'expiry' ? 'Certificates, the first to expire first' : 'Certificates, the newest first'}
        columns={columns(state.now)}
        rows={found.items}
        rowKey={({ id }) => id}
        empty={
          filtered ? (
            <Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No certificate is like that.</Empty>
          ) : (
            'None yet. Issue one for a signing request.'
          )
        }
      />
      <Pagination place={place} nextCursor={found.next_cursor} />
    </>
  );
}

const columns = (now: string): [Column<IssuedCertificate>, ...Column<IssuedCertificate>[]] => [
  {
    key: 'subject',
    label: 'Certificate',
    cell: ({ id, names, subject }) => <a href={pagePath('certificate', id)}>{names[0] ?? (subject || id)}</a>,
  },
  { key: 'names', label: 'Names and addresses', cell: ({ names }) => <Codes items={names} /> },
  {
    key: 'profile',
    label: 'For',
    cell: ({ purpose, profile }) => (purpose === '' ? PROFILE_WORDS[profile].word : purposeWord(purpose)),
  },
  { key: 'until', label: 'Valid until', look: 'nowrap', cell: ({ not_after }) => <Instant at={not_after} now={now} /> },
  {
    key: 'state',
    label: 'State',
    look: 'nowrap',
    cell: ({ state }) => <State kind={CERTIFICATE_WORDS[state].kind}>{CERTIFICATE_WORDS[state].word}</State>,
  },
];
