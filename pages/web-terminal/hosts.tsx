// Host keys of other machines that somebody confirmed.
import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { type HostKey, listHostKeys } from '../../shared/services/web-terminal/host-keys.ts';
import { serverText } from '../../shared/vcf/connection/target.ts';
import { ButtonLink } from '../components/button.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { HOSTS, TERMINAL } from './recording-words.ts';

const OF_A_PAGE = 50;

export const page = definePage({
  id: 'terminalHostKeysPage',
  path: HOSTS.href,
  current: TERMINAL.href,
  access: { session: 'read:terminal' },
  query: v.object({ cursor: v.optional(v.pipe(v.string(), v.maxLength(512))) }),
  load: ({ db, query }): Promise<Page<HostKey>> => listHostKeys(db, { cursor: query.cursor, limit: OF_A_PAGE }),
  title: () => 'Confirmed host keys',
  view({ data: { items, next_cursor }, state }) {
    // The right to what administrators alone may write stands for the role.
    const may = ['write:terminal', 'write:users'].every((scope) => (state.user.scopes as string[]).includes(scope));
    return (
      <>
        <PageHead
          title="Confirmed host keys"
          intro="Machines that terminals and file transfers may connect to. A machine that shows another key is refused."
          trail={[TERMINAL]}
        />
        <DataTable
          caption="Confirmed host keys, by machine"
          columns={[
            { key: 'machine', label: 'Machine', look: 'code', cell: serverText },
            { key: 'algorithm', label: 'Kind', look: 'code', cell: ({ algorithm }) => algorithm },
            { key: 'sha256', label: 'Fingerprint', cell: ({ sha256 }) => <code class="wrap">{sha256}</code> },
            { key: 'by', label: 'Confirmed by', cell: ({ confirmed_by }) => confirmed_by },
            {
              key: 'at',
              label: 'When',
              look: 'nowrap',
              cell: ({ confirmed_at }) => <Instant at={confirmed_at} now={state.now} />,
            },
          ]}
          rows={items}
          rowKey={({ id }) => id}
          actions={({ id, host, port }) =>
            may && (
              <ButtonLink
                kind="row"
                href={`${pagePath('terminal-host', id)}/delete`}
                label={`Forget the host key of ${serverText({ host, port })}`}
              >
                Forget
              </ButtonLink>
            )
          }
          empty="No host key was confirmed. It is looked at and confirmed on the page of the terminal."
        />
        <Pagination place={{ path: HOSTS.href, query: state.query }} nextCursor={next_cursor} />
      </>
    );
  },
});
