// What the overview pages of the units share: where a service listens, and words of their tables.
import type { ComponentChildren } from 'preact';
import type { Standing } from '../../shared/appliance/states/standing.ts';
import type { UnitId } from '../../shared/platform/unit-names.ts';
import type { Fact } from '../components/facts.tsx';
import { ServiceState } from './service-state.tsx';

/** Facts that every service with listeners begins with. */
export function listenFacts(
  standings: ReadonlyMap<UnitId, Standing>,
  unit: UnitId,
  saved: { enabled: boolean; hostname: string; listen_interfaces: readonly string[]; listen_addresses?: string[] },
): Fact[] {
  const { enabled, hostname, listen_interfaces, listen_addresses = [] } = saved;
  return [
    { label: 'State', value: <ServiceState standings={standings} unit={unit} enabled={enabled} /> },
    { label: 'Listen on', value: <Codes items={listen_interfaces} none="no interface" /> },
    { label: 'Listen addresses', value: <Codes items={listen_addresses} none="none" /> },
    { label: 'Host name', value: <Codes items={hostname === '' ? [] : [hostname]} none="none" /> },
  ];
}

/** One a line. */
export function Codes({ items, none = 'none' }: { items: readonly string[]; none?: string }) {
  if (items.length === 0) return <span class="muted">{none}</span>;
  return (
    <>
      {items.map((item) => (
        <code key={item} class="line">
          {item}
        </code>
      ))}
    </>
  );
}

export const yesNo = (value: boolean): ComponentChildren => (value ? 'yes' : <span class="muted">no</span>);

const idOf = (title: string): string => `list-${title.toLowerCase().replaceAll(' ', '-')}`;

/** Heading of one of several lists of a page, with its action. */
export function ListHead({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h2 id={idOf(title)}>{title}</h2>
      {children}
    </div>
  );
}

export interface ListProps {
  title: string;
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** One of several lists of a page: heading with its action, and the table below. */
export function List({ title, action, children }: ListProps) {
  return (
    <section class="below" aria-labelledby={idOf(title)}>
      <ListHead title={title}>{action}</ListHead>
      {children}
    </section>
  );
}
