// The audit log: who changed what, when, from where; newest first.

import { type AuditNames, auditNames } from '../../shared/appliance/overview/audit-names.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import type { Page } from '../../shared/ground/store/pagination.ts';
import { type AuditView, listAudit } from '../../shared/kernel/audit/list.ts';
import { type AuditPageQuery, auditFilter, auditPageQuery } from '../../shared/kernel/audit/page-query.ts';
import { actionWords, actorWords, RESOURCE_WORDS, resourceWords } from '../../shared/kernel/audit/words.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { More } from '../components/code.tsx';
import { Empty } from '../components/empty.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkWith } from '../components/query.ts';
import { State } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { exact, Instant } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Detail, DetailList, factsOf } from './detail.tsx';

const PATH = pagePath('audit-log');
const EVENTS_OF_A_PAGE = 50;

interface AuditLog {
  events: Page<AuditView>;
  nameOf: AuditNames;
  query: AuditPageQuery;
  faults: string[];
}

export const page = definePage({
  id: 'auditLogPage',
  path: PATH,
  access: { session: 'read:audit' },
  query: auditPageQuery,
  load: async ({ db, query, actor }): Promise<AuditLog> => {
    const { filter, faults } = auditFilter(query);
    const events = await listAudit(db, { ...filter, limit: EVENTS_OF_A_PAGE });
    return { events, nameOf: await auditNames(db, events.items, actor.scopes), query, faults };
  },
  title: () => 'Audit log',
  view: AuditLogView,
});

function AuditLogView({ data: { events, nameOf, query, faults }, state }: ViewProps<AuditLog>) {
  const place = { path: PATH, query: state.query };
  const { cursor: _cursor, ...filters } = query;
  const filtered = Object.values(filters).some((value) => value !== '');
  return (
    <>
      <PageHead
        title="Audit log"
        intro={
          <>
            Every change is recorded. Run <code>groundcrew audit verify</code> to detect tampering.
          </>
        }
      />
      <Filters query={query} csv={linkWith({ ...place, path: `${PATH}.csv` }, {})} filtered={filtered} />
      {faults.map((fault) => (
        <Note key={fault} icon="warn">
          {fault} It is not used.
        </Note>
      ))}
      <DataTable
        caption="Audit events, newest first"
        columns={columns(state.now, nameOf)}
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

function columns(now: string, nameOf: AuditNames): [Column<AuditView>, ...Column<AuditView>[]] {
  return [
    { key: 'at', label: 'When', look: 'nowrap', cell: ({ at }) => <Instant at={at} now={now} /> },
    {
      key: 'actor',
      label: 'Who',
      cell: ({ actor }) => <FilterLink name="actor" value={actor.name} text={actorWords(actor)} />,
    },
    { key: 'action', label: 'What', cell: (event) => <Action event={event} /> },
    { key: 'resource', label: 'Which', cell: (event) => <Resource event={event} name={nameOf(event)} /> },
    { key: 'detail', label: 'Facts', cell: (event) => <Detail detail={event.detail} name={nameOf(event)} /> },
    { key: 'from', label: 'From', cell: (event) => <From event={event} /> },
  ];
}

function Action({ event: { action, outcome } }: { event: AuditView }) {
  const link = <FilterLink name="action" value={action} text={actionWords(action)} />;
  if (outcome === 'success') return link;
  return (
    <State kind="bad">
      {link}
      {!TOLD.test(action) && (ASKED_FOR.test(action) ? ': refused' : ': failed')}
    </State>
  );
}

/** Actions whose words say already how it ended. */
const TOLD = /failed|refuse|wrong-code|alarm|burn|expired|cancelled|reverted/;
/** What another machine, or a wrong password, refuses. */
const ASKED_FOR = /^remote\.(?:target\.|depot\.password)/;

/** By name, with the id as title; an instant is that of a plan. */
function Resource({ event: { resource }, name }: { event: AuditView; name: string | null }) {
  const { id, type } = resource;
  if (id === null) return null;
  const text = name !== null && type === 'plan' ? `plan of ${exact(name)}` : (name ?? resourceWords(type));
  return <FilterLink name="resource_id" value={id} text={text} />;
}

/** Where it came from; codes and ids when a person wants them. */
function From({ event: { source_address, action, resource, request_id, detail } }: { event: AuditView }) {
  const ids = Object.entries({ action, resource_type: resource.type, resource_id: resource.id, request_id });
  return (
    <>
      {source_address !== '' && <code class="line nowrap">{source_address}</code>}
      <More summary="Ids">
        <dl class="detail">
          {ids
            .filter(([, value]) => value !== null && value !== '')
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name.replaceAll('_', ' ')}</dt>
                <dd>
                  <FilterLink name={name} value={value!} mono />
                </dd>
              </div>
            ))}
        </dl>
        <DetailList facts={factsOf(detail).codes} />
      </More>
    </>
  );
}

function FilterLink({ name, value, text, mono }: { name: string; value: string; text?: string; mono?: boolean }) {
  const shown = mono ? <code>{value}</code> : (text ?? value);
  return (
    <a
      href={linkWith({ path: PATH, query: '' }, { [name]: value })}
      title={text === undefined || text === value ? undefined : value}
    >
      {shown}
    </a>
  );
}

const TERMS = [
  ['actor', 'Who'],
  ['action', 'What was done'],
] as const;

/** Kinds of things by name, with the one that an address asks for. */
function kindsWith(asked: string): [string, string][] {
  const known = Object.entries(RESOURCE_WORDS).sort(([, one], [, other]) => one.localeCompare(other, 'en'));
  return asked === '' || RESOURCE_WORDS[asked] !== undefined ? known : [...known, [asked, asked]];
}

function Filters({ query, csv, filtered }: { query: AuditPageQuery; csv: string; filtered: boolean }) {
  return (
    <form class="tools" method="get" action={PATH} aria-label="Filter">
      {(['resource_id', 'request_id'] as const).map(
        (name) => query[name] !== '' && <input key={name} type="hidden" name={name} value={query[name]} />,
      )}
      {TERMS.map(([name, label]) => (
        <div key={name} class="term">
          <label class="vh" for={`filter-${name}`}>
            {label}
          </label>
          <input id={`filter-${name}`} name={name} type="search" value={query[name]} placeholder={label} />
        </div>
      ))}
      <label class="vh" for="filter-resource_type">
        Kind of thing
      </label>
      <select id="filter-resource_type" name="resource_type">
        <option value="">Anything</option>
        {kindsWith(query.resource_type).map(([value, words]) => (
          <option key={value} value={value} selected={value === query.resource_type}>
            {words}
          </option>
        ))}
      </select>
      <label class="vh" for="filter-outcome">
        Outcome
      </label>
      <select id="filter-outcome" name="outcome">
        <option value="">Any outcome</option>
        {Object.entries({ success: 'Done', failure: 'Refused or failed' }).map(([value, words]) => (
          <option key={value} value={value} selected={value === query.outcome}>
            {words}
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
