// VLANs of all trunks.

import * as v from 'valibot';
import { matching } from '../../shared/appliance/states/find-lines.ts';
import {
  type Line,
  loadStanding,
  parentOf,
  roleWords,
  troubleOf,
} from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { sortedRows } from '../../shared/ground/store/sorted-page.ts';
import { VLAN_SORTS, VLANS_LIST } from '../../shared/platform/interfaces/vlan-list.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import type { Column } from '../components/table.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import type { Choosing } from '../units/chosen-rows.tsx';
import { askedOf, type ListedRows, ListPage, placeText, ROW_QUERY } from '../units/row-list.tsx';
import { stateSelect } from '../units/state-filter.ts';
import { Addresses, Applied, Dependents, OnTheHost } from './cells.tsx';

const text = v.optional(v.pipe(v.string(), v.maxLength(128)), '');
const PATH = pagePath('vlans');
const OF_A_PAGE = 200;

/** One that is only in force any more has no id but its name, and nothing is done with it. */
interface Row extends Line {
  id: string;
  revision?: number;
}

const VLANS: Choosing<Row> = { table: 'vlan', listed: VLANS_LIST, title: ({ name }) => name };

interface Data extends ListedRows<Row> {
  all: readonly Row[];
  trunks: string[];
  state: Parameters<typeof stateSelect>[0];
  parent: string;
  show: string;
}

export const page = definePage({
  id: 'vlansPage',
  path: PATH,
  access: { session: 'read:vlans' },
  // `q` is what addresses of before called the search.
  query: v.object({ ...ROW_QUERY, q: text, parent: text, show: text }),
  async load({ services, standings, query: { q, ...query }, outcome }): Promise<Data> {
    const { lines, interfaces } = await loadStanding({ services, standings });
    const asked = askedOf(VLANS, outcome, { ...query, search: query.search || q });
    const { search, sort, parent, show, cursor } = asked;
    const all = lines.filter((line) => parentOf(line) !== null).map(rowOf);
    const state = stateSelect('').options.find(({ value }) => value === asked.state)?.value ?? '';
    const wanted = matching(all, { q: search, parent, show, state });
    const own = (line: Row) => String(VLAN_SORTS.name!(line));
    const page = sortedRows(wanted, { sorts: VLAN_SORTS, own, sort, cursor, limit: OF_A_PAGE });
    const trunks = interfaces.filter(({ mode }) => mode === 'trunk').map(({ name }) => name);
    const at = placeText(asked);
    return { items: page.items, next: page.next_cursor, at, all, trunks, state: state as Data['state'], parent, show };
  },
  title: () => 'VLANs',
  view: Vlans,
});

const rowOf = (line: Line): Row => ({
  ...line,
  id: line.saved?.id ?? line.name,
  ...(line.saved && { revision: line.saved.revision }),
});

function Vlans({ data, state, outcome }: ViewProps<Data>) {
  const { all, trunks, parent, show } = data;
  const writes = state.user.scopes.includes('write:vlans');
  const add = writes && (
    <ButtonLink kind="primary" icon="plus" href={`${PATH}/new`}>
      Add VLAN
    </ButtonLink>
  );
  return (
    <ListPage
      head={{ title: 'VLANs' }}
      add={add}
      addFirst={all.length === 0}
      of={VLANS}
      listed={data}
      outcome={outcome}
      csrf={state.csrf}
      href={PATH}
      action={writes ? `${PATH}/chosen` : null}
      csv={{ path: `${PATH}.csv`, by: ['search', 'sort', 'parent', 'state', 'show'] }}
      {...(writes && { importing: `${PATH}/import` })}
      caption="VLANs"
      searchLabel="Name, address or service"
      columns={columns()}
      sorts={Object.keys(VLAN_SORTS)}
      own={{ key: 'name', descending: false }}
      selects={[
        {
          name: 'parent',
          label: 'Parent',
          any: 'Any parent',
          value: parent,
          options: trunks.map((name) => ({ value: name, label: name })),
        },
        stateSelect(data.state),
      ]}
      segments={{
        name: 'show',
        label: 'Show',
        value: show,
        options: [
          { value: '', label: 'All', count: all.length },
          { value: 'pending', label: 'Not applied', count: all.filter((line) => line.pending).length },
          { value: 'problems', label: 'Problems', count: all.filter(troubleOf).length },
        ],
      }}
      choosable={({ saved }) => saved !== null}
      actions={(line) => writes && <Actions line={line} />}
      asking={() => <p>The host keeps links and addresses until the next reviewed apply removes them.</p>}
      empty={
        <Empty action={add}>
          There is no VLAN yet. A VLAN needs an interface in trunk mode, and has addresses of its own.
        </Empty>
      }
    />
  );
}

function columns(): [Column<Row>, ...Column<Row>[]] {
  return [
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
  ];
}

function Actions({ line: { href, name } }: { line: Line }) {
  if (href === null) return null;
  return (
    <ButtonLink kind="row" href={href} label={`Edit ${name}`}>
      Edit
    </ButtonLink>
  );
}
