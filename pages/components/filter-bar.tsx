// The bar above a list: search by natural key, choices, counted segments, CSV. A GET form, so that a filter is an address.
import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';
import { linkWith, type Place, parametersBut } from './query.ts';

export interface Choice {
  value: string;
  label: string;
}

export interface FilterSelect {
  name: string;
  label: string;
  /** Word for no choice: "Any role". */
  any: string;
  value: string;
  options: readonly Choice[];
}

export interface FilterSegments {
  name: string;
  label: string;
  value: string;
  /** The option with value '' removes the parameter. */
  options: readonly (Choice & { count?: number })[];
}

export interface FilterBarProps {
  place: Place;
  search?: { name: string; label: string; value: string; placeholder?: string };
  selects?: readonly FilterSelect[];
  segments?: FilterSegments;
  csv?: string;
  /** Where rows are read from such a file; none where they are not, or not by whoever asks. */
  importing?: string | undefined;
  /** How fresh the list is, for example. */
  note?: ComponentChildren;
}

export function FilterBar({ place, search, selects = [], segments, csv, importing, note }: FilterBarProps) {
  const own = [...(search ? [search.name] : []), ...selects.map((select) => select.name)];
  return (
    <form class="tools" method="get" action={place.path}>
      {parametersBut(place, own).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {search && (
        <div class="search">
          <Icon name="search" />
          <label class="vh" for={`filter-${search.name}`}>
            {search.label}
          </label>
          <input
            id={`filter-${search.name}`}
            name={search.name}
            type="search"
            value={search.value}
            placeholder={search.placeholder ?? search.label}
          />
        </div>
      )}
      {selects.map((select) => (
        <Select key={select.name} {...select} />
      ))}
      {own.length > 0 && <Button>Filter</Button>}
      {segments && <Segments place={place} {...segments} />}
      {(note !== undefined || csv !== undefined || importing !== undefined) && (
        <p class="muted">
          {note}
          {note !== undefined && csv !== undefined && ' · '}
          {csv !== undefined && <a href={csv}>CSV</a>}
          {csv !== undefined && importing !== undefined && ' · '}
          {importing !== undefined && <a href={importing}>Import CSV</a>}
        </p>
      )}
    </form>
  );
}

function Select({ name, label, any, value, options }: FilterSelect) {
  return (
    <>
      <label class="vh" for={`filter-${name}`}>
        {label}
      </label>
      <select id={`filter-${name}`} name={name}>
        <option value="">{any}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </>
  );
}

function Segments({ place, name, label, value, options }: FilterSegments & { place: Place }) {
  return (
    <nav class="seg" aria-label={label}>
      {options.map((option) => (
        <a
          key={option.value}
          href={linkWith(place, { [name]: option.value === '' ? null : option.value })}
          aria-current={option.value === value ? 'true' : undefined}
        >
          {option.label}
          {option.count !== undefined && <span class="n">{option.count}</span>}
        </a>
      ))}
    </nav>
  );
}
