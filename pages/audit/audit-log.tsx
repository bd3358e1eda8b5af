// The audit log: who changed what, when, from where; newest first.

import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { type AuditView, listAudit } from '../../shared/kernel/audit/list.ts';
import { type AuditPageQuery, auditFilter, auditPageQuery } from '../../shared/kernel/audit/page-query.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkWith } from '../components/query.ts';
import { State } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Detail } from './detail.tsx';

const PATH = pagePath('audit-log');
const EVENTS_OF_A_PAGE = 50;

interface AuditLog {
  events: Page<AuditView>;
  query: AuditPageQuery;
  faults: string[];
}

export const page = definePage({
  id: 'auditLogPage',
  path: PATH,
  access: { session: 'read:audit' },
  query: auditPageQuery,
  load: async ({ db, query }): Promise<AuditLog> => {
    const { filter, faults } = auditFilter(query);
    return { events: await listAudit(db, { ...filter, limit: EVENTS_OF_A_PAGE }), query, faults };
  },
  title: () => 'Audit log',
  view: AuditLogView,
});

function AuditLogView({ data: { events, query, faults }, state }: ViewProps<AuditLog>) {
  const place = { path: PATH, query: state.query };
  const { cursor: _cursor, ...filters } = query;
  const filtered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageHead title="Audit log" intro="Every change is recorded. Run groundcrew audit verify to detect tampering." />
      <Filters query={query} csv={linkWith({ ...place, path: `${PATH}.csv` }, {})} filtered={filtered} />
      {faults.map((fault) => (
        <Note key={fault} icon="warn">
          {fault} It is not used.
        </Note>
      ))}
      <DataTable
        caption="Audit events, newest first"
        columns={columns(state.now)}
        rows={events.items}
        rowKey={({ seq }) => String(seq)}
        empty={
          filtered ? (
            <Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No event matches this filter.</Empty>
          ) : (
            'Nothing has been changed yet.'
          )
        }
      />
      <Pagination place={place} nextCursor={events.next_cursor} />
    </>
  );
}

function columns(now: string): [Column<AuditView>, ...Column<AuditView>[]] {
  return [
    { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
    { key: 'action', label: 'Action', look: 'code', cell: (event) => <Action event={event} /> },
    { key: 'actor', label: 'Who', cell: ({ actor }) => <FilterLink name="actor" value={actor.name} /> },
    { key: 'resource', label: 'What', cell: (event) => <Resource event={event} /> },
    { key: 'detail', label: 'Facts', cell: ({ detail }) => <Detail detail={detail} /> },
    {
      key: 'from',
      label: 'From, request',
      cell: ({ source_address, request_id }) => (
        <>
          {source_address !== '' && <code class="line nowrap">{source_address}</code>}
          <FilterLink name="request_id" value={request_id} mono />
        </>
      ),
    },
  ];
}

function Action({ event: { action, outcome } }: { event: AuditView }) {
  if (outcome === 'success') return <FilterLink name="action" value={action} mono />;
  return (
    <State kind="bad">
      <FilterLink name="action" value={action} mono /> refused
    </State>
  );
}

function Resource({ event: { resource } }: { event: AuditView }) {
  return (
    <>
      {resource.type}
      {resource.id !== null && (
        <span class="line">
          <FilterLink name="resource_id" value={resource.id} mono />
        </span>
      )}
    </>
  );
}

function FilterLink({ name, value, mono }: { name: string; value: string; mono?: boolean }) {
  const text = mono ? <code>{value}</code> : value;
  return <a href={linkWith({ path: PATH, query: '' }, { [name]: value })}>{text}</a>;
}

const TERMS = [
  ['actor', 'Who'],
  ['action', 'Action begins with'],
  ['resource_type', 'Type of resource'],
  ['request_id', 'Request id'],
] as const;

function Filters({ query, csv, filtered }: { query: AuditPageQuery; csv: string; filtered: boolean }) {
  return (
    <form class="tools" method="get" action={PATH} aria-label="Filter">
      {query.resource_id !== '' && <input type="hidden" name="resource_id" value={query.resource_id} />}
      {TERMS.map(([name, label]) => (
        <div key={name} class="term">
          <label class="vh" for={`filter-${name}`}>
            {label}
          </label>
          <input id={`filter-${name}`} name={name} type="search" value={query[name]} placeholder={label} />
        </div>
      ))}
      <label class="vh" for="filter-outcome">
        Outcome
      </label>
      <select id="filter-outcome" name="outcome">
        <option value="">Any outcome</option>
        {['success', 'failure'].map((value) => (
          <option key={value} value={value} selected={value === query.outcome}>
            {value}
          </option>
        ))}
      </select>
      <div class="when">
        {(['since', 'until'] as const).map((name) => (
          <label key={name}>
            {name === 'since' ? 'From' : 'Until'} (UTC)
            <input id={`filter-${name}`} name={name} type="datetime-local" value={query[name].replace(/Z$/, '')} />
          </label>
        ))}
      </div>
      <Button>Filter</Button>
      {filtered && (
        <ButtonLink kind="row" href={PATH}>
          Show all
        </ButtonLink>
      )}
      <p class="muted">
        <a href={csv}>CSV</a>
      </p>
    </form>
  );
}
