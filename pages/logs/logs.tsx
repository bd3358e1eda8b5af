// The log: lines of the service and of its daemons, newest first.
import { LEVELS, type Level, type LogEntry } from '../../shared/appliance/logs/entry.ts';
import { type LogPageQuery, logFilter, logPageQuery } from '../../shared/appliance/logs/page-query.ts';
import { hasJournal, type LogPage, readLogs } from '../../shared/appliance/logs/read-logs.ts';
import { SOURCE_IDS, SOURCES } from '../../shared/appliance/logs/sources.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { Note } from '../components/block.tsx';
import { Button, ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { PageLink } from '../components/page-link.tsx';
import { linkWith, type Place } from '../components/query.ts';
import { State, type StateKind } from '../components/state-word.tsx';
import { type Column, DataTable } from '../components/table.tsx';
import { exact } from '../components/time.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

const PATH = pagePath('logs');
const LINES_OF_A_PAGE = 100;
/** Seconds between two readings of a page that follows. */
const FOLLOW_SECONDS = 5;

interface Logs {
  lines: LogPage;
  query: LogPageQuery;
  faults: string[];
  /** Lines of daemons are there as well. */
  journal: boolean;
}

export const page = definePage({
  id: 'logsPage',
  path: PATH,
  access: { session: 'read:logs' },
  query: logPageQuery,
  load: async ({ services, actor, query }): Promise<Logs> => {
    const { filter, faults } = logFilter(query);
    const lines = await readLogs(services, { ...filter, limit: LINES_OF_A_PAGE }, { reader: actor.user_id });
    return { lines, query, faults, journal: hasJournal(services) };
  },
  title: () => 'Logs',
  refreshes: ({ query }) => follows(query),
  view: LogsView,
});

/** Older pages stand still. */
const follows = ({ follow, cursor }: LogPageQuery): boolean => follow === 'on' && cursor === '';

function LogsView({ data: { lines, query, faults, journal }, state }: ViewProps<Logs>) {
  const place = { path: PATH, query: state.query };
  const { cursor: _cursor, follow: _follow, ...filters } = query;
  const filtered = Object.values(filters).some((value) => value !== '');
  const following = follows(query);
  return (
    <>
      <PageHead
        title="Logs"
        intro={
          journal
            ? 'Lines of the service and of its daemons, newest first.'
            : 'Lines of the service since it started, newest first. No log of daemons is kept here.'
        }
      >
        <ButtonLink href={linkWith(place, { follow: following ? null : 'on', cursor: null })}>
          {following ? 'Stop following' : 'Follow'}
        </ButtonLink>
      </PageHead>
      <Filters query={query} place={place} filtered={filtered} />
      {faults.map((fault) => (
        <Note key={fault} icon="warn">
          {fault} It is not used.
        </Note>
      ))}
      <div class="log" data-live="logs" id="log-lines" data-every={following ? FOLLOW_SECONDS : undefined}>
        <p class="muted log-note" role="status">
          {following ? `Following: read anew every ${FOLLOW_SECONDS} seconds. ` : ''}
          {lines.searched_to !== null && `Looked back to ${exact(lines.searched_to)}.`}
        </p>
        <DataTable
          caption="Log lines, newest first"
          dense
          columns={COLUMNS}
          rows={lines.items.map((line, index) => ({ ...line, index }))}
          rowKey={({ at, index }) => `${at} ${index}`}
          empty={<None filtered={filtered} more={lines.next_cursor !== null} />}
        />
        <Older place={place} cursor={lines.next_cursor} older={query.cursor !== ''} some={lines.items.length > 0} />
      </div>
    </>
  );
}

function None({ filtered, more }: { filtered: boolean; more: boolean }) {
  if (more) return <Empty>No line matches this filter so far.</Empty>;
  if (!filtered) return <Empty>Nothing has been logged yet.</Empty>;
  return <Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No line matches this filter.</Empty>;
}

interface OlderProps {
  place: Place;
  cursor: string | null;
  /** Whether it is not the first page. */
  older: boolean;
  some: boolean;
}

function Older({ place, cursor, older, some }: OlderProps) {
  if (cursor === null && !older) return null;
  return (
    <nav class="pages" aria-label="Pages of this list">
      {older && <ButtonLink href={linkWith(place, { cursor: null })}>Newest</ButtonLink>}
      {cursor !== null && (
        <ButtonLink href={linkWith(place, { cursor, follow: null })}>
          {some ? 'Older' : 'Search further back'}
        </ButtonLink>
      )}
    </nav>
  );
}

const KINDS: Readonly<Record<Level, StateKind | null>> = { error: 'bad', warning: 'warn', info: null, debug: null };

const COLUMNS: [Column<LogEntry & { index: number }>, ...Column<LogEntry & { index: number }>[]] = [
  { key: 'at', label: 'When (UTC)', look: 'nowrap', cell: ({ at }) => <When at={at} /> },
  {
    key: 'source',
    label: 'Source',
    look: 'nowrap',
    cell: ({ source }) => <span title={SOURCES[source].label}>{source}</span>,
  },
  { key: 'level', label: 'Level', look: 'nowrap', cell: ({ level }) => <LevelWord level={level} /> },
  { key: 'message', label: 'Message', cell: (line) => <Message line={line} /> },
];

const When = ({ at }: { at: string }) => (
  <time datetime={at} class="log-when">
    {at.slice(0, 10)} {at.slice(11, 23)}
  </time>
);

function LevelWord({ level }: { level: Level }) {
  const kind = KINDS[level];
  return kind === null ? <span class="muted">{level}</span> : <State kind={kind}>{level}</State>;
}

function Message({ line: { message, request_id } }: { line: LogEntry }) {
  return (
    <>
      <code class="log-line">{message}</code>
      {request_id !== null && (
        <span class="log-request">
          <a href={linkWith({ path: PATH, query: '' }, { request_id })} title="Lines of this request">
            {request_id}
          </a>{' '}
          <PageLink href={linkWith({ path: pagePath('audit-log'), query: '' }, { request_id })}>audit</PageLink>
        </span>
      )}
    </>
  );
}

interface FiltersProps {
  query: LogPageQuery;
  place: Place;
  filtered: boolean;
}

function Filters({ query, place, filtered }: FiltersProps) {
  const file = (format: string) => linkWith({ path: `${PATH}/download`, query: place.query }, { format, follow: null });
  return (
    <form class="tools" method="get" action={PATH} aria-label="Filter">
      {query.follow === 'on' && <input type="hidden" name="follow" value="on" />}
      <Term name="text" label="Text" value={query.text} />
      <Choice name="source" label="Source" any="Any source" value={query.source}>
        {SOURCE_IDS.map((id) => [id, SOURCES[id].label])}
      </Choice>
      <Choice name="level" label="Level" any="Any level" value={query.level}>
        {LEVELS.map((level) => [level, level === 'error' ? 'error' : `${level} and graver`])}
      </Choice>
      <details class="more" open={query.request_id !== '' || query.since !== '' || query.until !== ''}>
        <summary>Request and time</summary>
        <div class="tools">
          <Term name="request_id" label="Request id" value={query.request_id} />
          <div class="when">
            {(['since', 'until'] as const).map((name) => (
              <label key={name}>
                {name === 'since' ? 'From' : 'Until'} (UTC)
                <input id={`filter-${name}`} name={name} type="datetime-local" value={query[name].replace(/Z$/, '')} />
              </label>
            ))}
          </div>
        </div>
      </details>
      <Button>Filter</Button>
      {filtered && (
        <ButtonLink kind="row" href={PATH}>
          Show all
        </ButtonLink>
      )}
      <p class="muted">
        <a href={file('text')}>Text</a> · <a href={file('json')}>JSON lines</a>
      </p>
    </form>
  );
}

function Term({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <div class="term">
      <label class="vh" for={`filter-${name}`}>
        {label}
      </label>
      <input id={`filter-${name}`} name={name} type="search" value={value} placeholder={label} />
    </div>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  any: string;
  value: string;
  children: (readonly [value: string, label: string])[];
}

function Choice({ name, label, any, value, children }: ChoiceProps) {
  return (
    <>
      <label class="vh" for={`filter-${name}`}>
        {label}
      </label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{any}</option>
        {children.map(([each, words]) => (
          <option key={each} value={each} selected={each === value}>
            {words}
          </option>
        ))}
      </select>
    </>
  );
}
