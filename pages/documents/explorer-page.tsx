// The API explorer: every operation by group, found by words, with what it takes and answers; a script on top sends one.
import * as v from 'valibot';
import { Problem } from '../../shared/ground/problems.ts';
import type { Services } from '../../shared/kernel/operation/services.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { DataTable } from '../components/table.tsx';
import { definePlainPage } from '../layout/define-page.tsx';
import { type Described, found, type Group, groupsOf } from './contract.ts';
import { OperationView } from './operation-view.tsx';

const PATH = '/api/docs';

interface Data {
  groups: readonly Group[];
  group: Group | undefined;
  search: string;
}

/** The document is the same while the process runs, and is read once. */
const kept = new WeakMap<object, readonly Group[]>();

async function contract({ settings: { openapi } }: Services): Promise<readonly Group[]> {
  if (openapi === undefined) throw new Problem('route_not_found', 'This process does not know all operations.');
  const document = await openapi();
  const groups = kept.get(document) ?? groupsOf(JSON.parse(document.text));
  kept.set(document, groups);
  return groups;
}

export const page = definePlainPage({
  id: 'apiExplorerPage',
  path: PATH,
  plane: 'management',
  query: v.object({
    group: v.optional(v.pipe(v.string(), v.maxLength(64)), ''),
    search: v.optional(v.pipe(v.string(), v.maxLength(255)), ''),
  }),
  async load({ services, query }): Promise<Data> {
    const groups = await contract(services);
    return { groups, group: groups.find(({ slug }) => slug === query.group), search: query.search.trim() };
  },
  title: ({ group }) => (group ? `${group.name} · API explorer` : 'API explorer'),
  view: ({ data }) => <Explorer {...data} />,
});

function Explorer({ groups, group, search }: Data) {
  return (
    <div class="api">
      <nav class="trail" aria-label="API documents">
        <a href={PATH} aria-current={group || search ? undefined : 'page'}>
          API explorer
        </a>{' '}
        · <a href="/api/redoc">API reference</a> · <a href="/openapi.json">OpenAPI document</a>
      </nav>
      <h1>{group && search === '' ? group.name : 'API explorer'}</h1>
      <FilterBar
        place={{ path: PATH, query: '' }}
        search={{ name: 'search', label: 'Part of a path, name or description', value: search }}
      />
      {search !== '' ? (
        <Found groups={groups} search={search} />
      ) : group ? (
        <One group={group} />
      ) : (
        <All groups={groups} />
      )}
    </div>
  );
}

const hrefOf = ({ slug }: Group, id = ''): string => `${PATH}?group=${slug}${id && `#${id}`}`;

function All({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      <p>
        Send a token in <code>Authorization: Bearer</code>; each operation names the scope that it needs. Refusals are
        problem documents, whose <code>type</code> leads to a page.
      </p>
      <DataTable
        caption="Groups of operations"
        columns={[
          { key: 'name', label: 'Group', cell: (each) => <a href={hrefOf(each)}>{each.name}</a> },
          { key: 'operations', label: 'Operations', look: 'number', cell: ({ operations }) => operations.length },
          { key: 'about', label: 'About', cell: ({ about }) => about },
        ]}
        rows={groups}
        rowKey={({ slug }) => slug}
        empty="There is no operation."
      />
    </>
  );
}

function Found({ groups, search }: { groups: readonly Group[]; search: string }) {
  const rows = found(groups, search);
  const ways = new Map(groups.map((each) => [each.name, each]));
  return (
    <OperationTable
      rows={rows}
      caption={`Operations with ${search}`}
      href={(each) => hrefOf(ways.get(each.group)!, each.id)}
    />
  );
}

interface TableProps {
  rows: readonly Described[];
  caption: string;
  href(operation: Described): string;
}

function OperationTable({ rows, caption, href }: TableProps) {
  return (
    <DataTable
      caption={caption}
      columns={[
        { key: 'summary', label: 'Operation', cell: (each) => <a href={href(each)}>{each.summary}</a> },
        {
          key: 'path',
          label: 'Request',
          cell: ({ method, path }) => (
            <code class="wrap">
              {method} {path}
            </code>
          ),
        },
        { key: 'scope', label: 'Scope', cell: ({ scope }) => <code class="wrap">{scope ?? 'none'}</code> },
      ]}
      rows={rows}
      rowKey={({ id }) => id}
      empty={<Empty action={<ButtonLink href={PATH}>Show all groups</ButtonLink>}>No operation has these words.</Empty>}
    />
  );
}

function One({ group }: { group: Group }) {
  return (
    <>
      <p>{group.about}</p>
      <OperationTable rows={group.operations} caption={`Operations of ${group.name}`} href={({ id }) => `#${id}`} />
      {group.operations.map((each) => (
        <OperationView key={each.id} of={each} />
      ))}
    </>
  );
}
