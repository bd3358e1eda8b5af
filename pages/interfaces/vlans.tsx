// VLANs of all trunks.

import * as v from 'valibot';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { Pagination } from '../components/pagination.tsx';
import { DataTable } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Addresses, Applied, Dependents, OnTheHost } from './cells.tsx';
import { matching } from './find-lines.ts';
import { type Line, loadStanding, pageOfLines, parentOf, roleWords, type Standing, troubleOf } from './standing.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(128)));
const query = v.object({ q: text, parent: text, show: text, cursor: text });
type Query = v.InferOutput<typeof query>;

const PATH = pagePath('vlans');

export const page = definePage({
  id: 'vlansPage',
  path: PATH,
  access: { session: 'read:vlans' },
  query,
  load: async (context) => ({ standing: await loadStanding(context), query: context.query }),
  title: () => 'VLANs',
  view: Vlans,
});

function Vlans({ data: { standing, query }, state }: ViewProps<{ standing: Standing; query: Query }>) {
  const place = { path: PATH, query: state.query };
  const all = standing.lines.filter((line) => parentOf(line) !== null);
  const { shown, next } = pageOfLines(matching(all, query), query.cursor);
  const writes = state.user.scopes.includes('write:vlans');
  const trunks = standing.interfaces
    .filter((row) => row.mode === 'trunk')
    .map(({ name }) => ({ value: name, label: name }));
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
      Add VLAN
    </ButtonLink>
  );
  if (all.length === 0) {
    return (
      <>
        <PageHead title="VLANs" />
        <Empty action={add}>
          There is no VLAN yet. A VLAN needs an interface in trunk mode, and has addresses of its own.
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="VLANs">{add}</PageHead>
      <FilterBar
        place={place}
        search={{ name: 'q', label: 'Name, address or service', value: query.q ?? '' }}
        selects={[{ name: 'parent', label: 'Parent', any: 'Any parent', value: query.parent ?? '', options: trunks }]}
        segments={{
          name: 'show',
          label: 'Show',
          value: query.show ?? '',
          options: [
            { value: '', label: 'All', count: all.length },
            { value: 'pending', label: 'Not applied', count: all.filter((line) => line.pending).length },
            { value: 'problems', label: 'Problems', count: all.filter(troubleOf).length },
          ],
        }}
      />
      <DataTable
        caption="VLANs"
        columns={[
          {
            key: 'name',
            label: 'VLAN',
            look: 'code',
            cell: ({ href, name }) => (href === null ? <span class="was">{name}</span> : <a href={href}>{name}</a>),
          },
          { key: 'parent', label: 'Parent', look: 'code', cell: (line) => parentOf(line) },
          {
            key: 'number',
            label: 'Number',
            look: 'number',
            cell: (line) => line.saved?.vlan_id ?? line.name.split('.').at(-1),
          },
          { key: 'role', label: 'Role', cell: ({ saved, was }) => roleWords(saved ?? was) },
          { key: 'address', label: 'Address', cell: (line) => <Addresses line={line} vlans={0} /> },
          {
            key: 'services',
            label: 'Services on it',
            cell: (line) => <Dependents line={line} />,
          },
          { key: 'host', label: 'On the host', cell: (line) => <OnTheHost line={line} /> },
          { key: 'state', label: 'State', cell: (line) => <Applied line={line} /> },
        ]}
        rows={shown}
        rowKey={(line) => line.name}
        actions={(line) => writes && <Actions line={line} />}
        empty={<Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No VLAN matches this filter.</Empty>}
      />
      <Pagination place={place} nextCursor={next} />
    </>
  );
}

function Actions({ line: { href, name } }: { line: Line }) {
  if (href === null) return null;
  return (
    <ButtonLink kind="row" href={href} label={`Edit ${name}`}>
      Edit
    </ButtonLink>
  );
}
