// The data table: sticky head, frozen first column, sorting by links that keep the rest of the query string.
import type { ComponentChildren } from 'preact';
import { Empty } from './empty.tsx';
import { linkWith, type Place } from './query.ts';
import { Scroll } from './scroll.tsx';

export interface Column<Row> {
  key: string;
  label: string;
  cell: (row: Row) => ComponentChildren;
  sortable?: boolean;
  /** `number` aligns right; `code` sets monospace and never wraps; `nowrap` keeps a cell on one line. */
  look?: 'number' | 'code' | 'nowrap';
}

/** `key` ascending; `-key` in the query string is descending. */
export interface Sort {
  key: string;
  descending: boolean;
}

export interface DataTableProps<Row> {
  /** Names the table for assistive technology. */
  caption: string;
  /** The first column becomes the row's header. */
  columns: readonly [Column<Row>, ...Column<Row>[]];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Needed where a column is sortable. */
  place?: Place;
  sort?: Sort | null;
  /** Before the first cell of a row: the box that chooses it. */
  box?: (row: Row) => ComponentChildren;
  /** Buttons and links at the end of a row, each named with its object. */
  actions?: (row: Row) => ComponentChildren;
  /** A row that belongs to the one above it, drawn as a branch; `last` ends the branch. */
  branch?: (row: Row) => 'child' | 'last' | null;
  dense?: boolean;
  /** What is said when there are no rows: a sentence, or an Empty with its action. */
  empty: ComponentChildren;
}

/** Reads `sort=name` or `sort=-name` out of a query string; null when it is absent or not one of `keys`. */
export function sortOf(query: string, keys: readonly string[]): Sort | null {
  const value = new URLSearchParams(query).get('sort') ?? '';
  const descending = value.startsWith('-');
  const key = descending ? value.slice(1) : value;
  return keys.includes(key) ? { key, descending } : null;
}

const CELLS = { number: 'num', code: 'mono nowrap', nowrap: 'nowrap' } as const;
const BRANCHES = { child: 'child', last: 'child last' } as const;
const classOf = (branch: 'child' | 'last' | null | undefined) => (branch ? BRANCHES[branch] : undefined);

function Head<Row>({ column, sort, place }: { column: Column<Row>; sort: Sort | null; place: Place | undefined }) {
  const look = column.look === 'number' ? 'num' : undefined;
  if (!column.sortable || place === undefined) {
    return (
      <th scope="col" class={look}>
        {column.label}
      </th>
    );
  }
  const sorted = sort?.key === column.key ? sort : null;
  const next = sorted && !sorted.descending ? `-${column.key}` : column.key;
  return (
    <th scope="col" class={look} aria-sort={sorted ? (sorted.descending ? 'descending' : 'ascending') : undefined}>
      <a href={linkWith(place, { sort: next })}>
        {column.label}
        {sorted && <span aria-hidden="true">{sorted.descending ? ' ↓' : ' ↑'}</span>}
      </a>
    </th>
  );
}

export function DataTable<Row>(props: DataTableProps<Row>): ComponentChildren {
  const { caption, columns, rows, rowKey, place, sort = null, box, actions, branch, dense, empty } = props;
  if (rows.length === 0) return typeof empty === 'string' ? <Empty>{empty}</Empty> : empty;
  const [first, ...others] = columns;
  return (
    <Scroll class="scroll" label={caption}>
      <table class={dense ? 'dense' : undefined}>
        <caption class="vh">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} place={place} />
            ))}
            {actions && (
              <th scope="col" class="act">
                Actions
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            // Chosen rows stay themselves when the list is refreshed: they are known by their ids.
            <tr key={rowKey(row)} id={box && `row-${rowKey(row)}`} class={classOf(branch?.(row))}>
              <th scope="row" class={first.look && CELLS[first.look]}>
                {box?.(row)}
                {first.cell(row)}
              </th>
              {others.map((column) => (
                <td key={column.key} class={column.look && CELLS[column.look]}>
                  {column.cell(row)}
                </td>
              ))}
              {actions && <td class="act">{actions(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
