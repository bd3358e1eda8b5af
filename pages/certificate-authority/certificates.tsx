// All issued certificates: found by name, state and profile, in the order of a column, and revoked together.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import {
  CERTIFICATE_STATES,
  ISSUED_SORTS,
  type IssuedCertificate,
  issuedFilter,
  listIssued,
  REVOCATION_REASONS,
} from '../../shared/platform/certificate-authority/certificate-store.ts';
import { CERTIFICATES_LIST, REVOKED_MOST } from '../../shared/platform/certificate-authority/list-words.ts';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { SelectField } from '../components/form.tsx';
import { State } from '../components/state-word.tsx';
import type { Column } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { Choosing } from '../units/chosen-rows.tsx';
import { Codes } from '../units/listing.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { titleOf } from './certificate.tsx';
import { CERTIFICATE_WORDS, PROFILE_WORDS, profileOptions, purposeWord, REASON_WORDS } from './certificate-words.tsx';
import { AUTHORITY } from './trail.tsx';

const PATH = pagePath('certificates');
const ISSUED: Choosing<IssuedCertificate> = {
  table: 'certificate',
  listed: CERTIFICATES_LIST,
  title: titleOf,
  effect: 'immediate',
  asks: ['revocation_reason'],
};

interface Data extends ListedRows<IssuedCertificate> {
  state: string;
  profile: string;
}

export const page = definePage({
  id: 'certificatesPage',
  path: PATH,
  current: AUTHORITY.href,
  access: { session: 'read:ca' },
  query: v.object({ ...ROW_QUERY, profile: v.optional(v.pipe(v.string(), v.maxLength(128)), '') }),
  async load({ db, query, now, outcome }): Promise<Data> {
    const asked = askedOf(ISSUED, outcome, query);
    const { cursor, state, profile } = asked;
    const found = await listIssued(db, { ...issuedFilter(asked), cursor, limit: REVOKED_MOST, now });
    return { items: found.items, next: found.next_cursor, at: placeText(asked), state, profile };
  },
  title: () => 'Certificates',
  view: Certificates,
});

function Certificates({ data, state, outcome }: ViewProps<Data>) {
  const writes = state.user.scopes.includes('write:ca');
  return (
    <ListPage
      head={{ title: 'Certificates', trail: [AUTHORITY], intro: 'What the certificate authority issued.' }}
      add={
        writes && (
          <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
            Issue a certificate
          </ButtonLink>
        )
      }
      more={writes && <ButtonLink href={`${PATH}/with-key`}>With a new key</ButtonLink>}
      of={ISSUED}
      listed={data}
      outcome={outcome}
      csrf={state.csrf}
      href={PATH}
      action={writes ? `${PATH}/chosen` : null}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'state', 'profile'] }}
      caption="Certificates, the newest first unless sorted"
      searchLabel="Name or subject"
      columns={columns(state.now)}
      sorts={ISSUED_SORTS}
      own={{ key: 'created_at', descending: true }}
      selects={selectsOf(data)}
      choosable={({ state: is }) => is !== 'revoked'}
      asking={() => <Asking />}
      empty="None yet. Issue one for a signing request."
    />
  );
}

const selectsOf = ({ state, profile }: Data) => [
  {
    name: 'state',
    label: 'State',
    any: 'Any state',
    value: state,
    options: CERTIFICATE_STATES.map((value) => ({ value, label: CERTIFICATE_WORDS[value].word })),
  },
  { name: 'profile', label: 'Profile', any: 'Any profile', value: profile, options: profileOptions() },
];

function Asking() {
  return (
    <>
      <p>
        The revocation list is signed anew and names what is revoked. Machines that read the list refuse it then; those
        that don’t go on trusting it until it ends.
      </p>
      <SelectField
        name="revocation_reason"
        label="Reason"
        value="unspecified"
        options={REVOCATION_REASONS.map((value) => ({ value, label: REASON_WORDS[value] }))}
        help="One for all of them. Only a hold can be taken back."
      />
    </>
  );
}

const columns = (now: string): [Column<IssuedCertificate>, ...Column<IssuedCertificate>[]] => [
  {
    key: 'subject',
    label: 'Certificate',
    cell: (certificate) => <a href={pagePath('certificate', certificate.id)}>{titleOf(certificate)}</a>,
  },
  { key: 'names', label: 'Names and addresses', cell: ({ names }) => <Codes items={names} /> },
  {
    key: 'profile',
    label: 'For',
    cell: ({ purpose, profile }) => (purpose === '' ? PROFILE_WORDS[profile].word : purposeWord(purpose)),
  },
  {
    key: 'sha256',
    label: 'SHA-256',
    look: 'nowrap',
    cell: ({ id, sha256 }) => <Copyable id={`sha256-${id}`} text={sha256} shown={`${sha256.slice(0, 11)}…`} />,
  },
  {
    key: 'created_at',
    label: 'Issued',
    look: 'nowrap',
    cell: ({ created_at }) => <Instant at={created_at} now={now} />,
  },
  {
    key: 'not_after',
    label: 'Valid until',
    look: 'nowrap',
    cell: ({ not_after }) => <Instant at={not_after} now={now} />,
  },
  {
    key: 'state',
    label: 'State',
    look: 'nowrap',
    cell: ({ state }) => <State kind={CERTIFICATE_WORDS[state].kind}>{CERTIFICATE_WORDS[state].word}</State>,
  },
];
