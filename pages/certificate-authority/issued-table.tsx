// Certificates that the authority issued, the newest first, and whether each is in use.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { AUTHORITY_PAGE, type RootCertificate } from '../../shared/platform/certificate-authority/authority.ts';
import type { IssuedCertificate } from '../../shared/platform/certificate-authority/certificate-store.ts';
import { PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { State } from '../components/state-word.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import type { ShellState } from '../layout/state.ts';
import { Codes } from '../units/listing.tsx';
import { CERTIFICATE_WORDS, PROFILE_WORDS, purposeWord } from './certificate-words.tsx';

export interface IssuedTableProps {
  certificates: readonly IssuedCertificate[];
  root: RootCertificate | null;
  custody: boolean;
  state: ShellState;
}

export function IssuedTable({ certificates, root, custody, state }: IssuedTableProps) {
  const { now } = state;
  const renews = custody && state.user.scopes.includes('write:ca');
  return (
    <DataTable
      caption="Issued certificates, the newest first"
      columns={[
        {
          key: 'purpose',
          label: 'For',
          cell: ({ id, purpose, profile }) => (
            <a href={pagePath('certificate', id)}>
              {purpose === '' ? PROFILE_WORDS[profile].word : purposeWord(purpose)}
            </a>
          ),
        },
        { key: 'names', label: 'Names and addresses', look: 'nowrap', cell: ({ names }) => <Codes items={names} /> },
        { key: 'sha256', label: 'SHA-256', look: 'nowrap', cell: ({ sha256 }) => <Codes items={halves(sha256)} /> },
        {
          key: 'until',
          label: 'Valid until',
          look: 'nowrap',
          cell: ({ not_after }) => <Instant at={not_after} now={now} />,
        },
        {
          key: 'state',
          label: 'State',
          look: 'nowrap',
          cell: (certificate) => <Standing certificate={certificate} root={root} now={now} />,
        },
      ]}
      rows={certificates}
      rowKey={({ id }) => id}
      {...(renews && {
        actions: ({ id, purpose, replaced_at, revoked_at }: IssuedCertificate) =>
          purpose !== '' &&
          replaced_at === null &&
          revoked_at === null && (
            <PostButton
              kind="row"
              action={`${AUTHORITY_PAGE}/certificates/${encodeURIComponent(id)}/renew`}
              csrf={state.csrf}
              label={`Reissue for ${purposeWord(purpose)}`}
            >
              Reissue
            </PostButton>
          ),
      })}
      empty={
        <Empty>
          None yet. The offline depot gets one by itself when it is switched on and applied, and another one in the last
          third of its life.
        </Empty>
      }
    />
  );
}

/** 32 bytes on two lines. */
const halves = (sha256: string): string[] => [sha256.slice(0, 48), sha256.slice(48)];

interface StandingProps {
  certificate: IssuedCertificate;
  root: RootCertificate | null;
  now: string;
}

function Standing({
  certificate: { replaced_at, revoked_at, state, authority_id, not_after },
  root,
  now,
}: StandingProps) {
  if (revoked_at !== null) return <State kind={CERTIFICATE_WORDS[state].kind}>{CERTIFICATE_WORDS[state].word}</State>;
  if (replaced_at !== null) {
    return (
      <State kind="off">
        Replaced <Instant at={replaced_at} now={now} />
      </State>
    );
  }
  if (not_after < now) return <State kind="bad">Expired</State>;
  if (authority_id !== root?.id) return <State kind="warn">Of a former root</State>;
  return <State kind="ok">Valid</State>;
}
