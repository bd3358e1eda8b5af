// Interfaces: every physical interface followed by its VLANs, in force beside saved, and the map of what depends on them.

import * as v from 'valibot';
import { type Readiness, readinessOf } from '../../shared/appliance/readiness/readiness.ts';
import { matching, SORT_KEYS, sorted } from '../../shared/appliance/states/find-lines.ts';
import {
  type Line,
  loadStanding,
  pageOfLines,
  parentOf,
  roleWords,
  type Standing,
  troubleOf,
} from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ROLES } from '../../shared/platform/interfaces/interface.ts';
import { ButtonLink, PostButton } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { FilterBar } from '../components/filter-bar.tsx';
import { NetworkMap } from '../components/network-map.tsx';
import { Pagination } from '../components/pagination.tsx';
import { linkBy } from '../components/query.ts';
import { type Column, DataTable, sortOf } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { ReadinessList } from '../units/readiness.tsx';
import { Addresses, Applied, Dependents, OnTheHost } from './cells.tsx';
import { addressCount, MOST_ADDRESSES, MOST_SERVICES, mapData } from './map-data.ts';

const text = v.optional(v.pipe(v.string(), v.maxLength(128)));
const query = v.object({ q: text, role: text, show: text, sort: text, cursor: text });
type Query = v.InferOutput<typeof query>;

const PATH = pagePath('interfaces');

export const page = definePage({
  id: 'interfacesPage',
  path: PATH,
  access: { session: 'read:interfaces' },
  query,
  load: async (context) => ({
    readiness: await readinessOf(context.services, 'network', context.standings),
    standing: await loadStanding(context, { reservations: true }),
    query: context.query,
  }),
  title: () => 'Interfaces',
  view: Interfaces,
});

function columns(standing: Standing): [Column<Line>, ...Column<Line>[]] {
  const carried = (line: Line) => standing.interfaces.filter((row) => row.parent_interface === line.name).length;
  return [
    { key: 'name', label: 'Interface', sortable: true, look: 'code', cell: nameOf },
    { key: 'role', label: 'Role', sortable: true, cell: ({ saved, was }) => roleWords(saved ?? was) },
    { key: 'mode', label: 'Mode', look: 'nowrap', cell: modeOf },
    {
      key: 'address',
      label: 'Address',
      sortable: true,
      cell: (line) => <Addresses line={line} vlans={carried(line)} />,
    },
    { key: 'services', label: 'Services on it', cell: (line) => <Dependents line={line} /> },
    { key: 'host', label: 'On the host', cell: (line) => <OnTheHost line={line} /> },
    { key: 'state', label: 'State', cell: (line) => <Applied line={line} /> },
  ];
}

function nameOf({ name, href }: Line) {
  return href === null ? <span class="was">{name}</span> : <a href={href}>{name}</a>;
}

function modeOf({ saved, was }: Line): string {
  if (!saved) return was.mode ?? `VLAN ${was.vlan?.id}`;
  return saved.kind === 'vlan' ? `VLAN ${saved.vlan_id}` : saved.mode;
}

interface Data {
  readiness: Readiness;
  standing: Standing;
  query: Query;
}

function Interfaces({ data: { readiness, standing, query }, state }: ViewProps<Data>) {
  const place = { path: PATH, query: state.query };
  const sort = sortOf(state.query, SORT_KEYS);
  const found = sorted(matching(standing.lines, query), query.sort);
  const { shown, next } = pageOfLines(found, query.cursor);
  const may = (scope: string) => state.user.scopes.includes(scope);
  const branch = (line: Line) => {
    const parent = parentOf(line);
    if (parent === null || !shown.some((other) => other.name === parent)) return null;
    const after = shown[shown.indexOf(line) + 1];
    return after && parentOf(after) === parent ? 'child' : 'last';
  };
  return (
    <>
      <PageHead title="Interfaces">
        {may('write:vlans') && (
          <ButtonLink kind="primary" icon="plus" href={`${pagePath('vlans')}/new`}>
            Add VLAN
          </ButtonLink>
        )}
        {may('write:interfaces') && (
          <PostButton action={PATH} csrf={state.csrf}>
            Refresh from host
          </PostButton>
        )}
      </PageHead>
      <ReadinessList of={readiness} state={state} />
      <FilterBar
        place={place}
        search={{ name: 'q', label: 'Name, address, MAC or service', value: query.q ?? '' }}
        selects={[
          {
            name: 'role',
            label: 'Role',
            any: 'Any role',
            value: query.role ?? '',
            options: ROLES.map((role) => ({ value: role, label: role })),
          },
        ]}
        segments={{
          name: 'show',
          label: 'Show',
          value: query.show ?? '',
          options: [
            { value: '', label: 'All', count: standing.lines.length },
            { value: 'pending', label: 'Not applied', count: standing.lines.filter((line) => line.pending).length },
            { value: 'problems', label: 'Problems', count: standing.lines.filter(troubleOf).length },
          ],
        }}
        csv={linkBy(`${PATH}.csv`, new URLSearchParams(state.query), ['q', 'role', 'show', 'sort'])}
        importing={may('write:interfaces') ? pagePath('import-interfaces') : undefined}
      />
      <DataTable
        caption="Physical interfaces, each followed by its VLANs"
        columns={columns(standing)}
        rows={shown}
        rowKey={(line) => line.name}
        place={place}
        sort={sort ?? { key: 'name', descending: false }}
        branch={branch}
        actions={(line) => <Actions line={line} may={may} />}
        empty={
          standing.lines.length === 0 ? (
            'The host has not reported any interface yet. Refresh from host reads them.'
          ) : (
            <Empty action={<ButtonLink href={PATH}>Show all</ButtonLink>}>No interface matches this filter.</Empty>
          )
        }
      />
      <Pagination place={place} nextCursor={next} />
      <DependencyMap standing={standing} />
    </>
  );
}

function DependencyMap({ standing }: { standing: Standing }) {
  const map = mapData(standing);
  const [addresses, services] = [addressCount(map), map.services.length];
  if (addresses === 0) return null;
  if (addresses <= MOST_ADDRESSES && services <= MOST_SERVICES) return <NetworkMap data={map} />;
  return (
    <p class="muted">
      The map is left out: {addresses} addresses and {services} services are more than a drawing can tell.
    </p>
  );
}

function Actions({ line: { name, href, saved }, may }: { line: Line; may: (scope: string) => boolean }) {
  if (href === null || saved === null) return null;
  const vlan = saved.kind === 'vlan';
  const writes = may(vlan ? 'write:vlans' : 'write:interfaces');
  return (
    <>
      {saved.mode === 'trunk' && saved.present && may('write:vlans') && (
        <ButtonLink kind="row" href={`${pagePath('vlans')}/new?parent=${name}`} label={`Add VLAN on ${name}`}>
          Add VLAN
        </ButtonLink>
      )}
      <ButtonLink kind="row" href={href} label={`${writes ? 'Edit' : 'Open'} ${name}`}>
        {writes ? 'Edit' : 'Open'}
      </ButtonLink>
      {!vlan && !saved.present && writes && (
        <ButtonLink kind="row" href={`${href}/delete`} label={`Delete ${name}`}>
          Delete
        </ButtonLink>
      )}
    </>
  );
}
