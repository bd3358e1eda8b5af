// What the overview pages of the units share: where a service listens, and words of their tables.
import type { ComponentChildren } from 'preact';
import type { Fact } from '../components/facts.tsx';
import { Enabled } from '../components/state-word.tsx';

/** Facts that every service with listeners begins with. `enforced`: an apply makes them true on the host. */
export function listenFacts(
  label: string,
  saved: { enabled: boolean; hostname: string; listen_interfaces: readonly string[]; listen_addresses?: string[] },
  enforced = false,
): Fact[] {
  const { enabled, hostname, listen_interfaces, listen_addresses = [] } = saved;
  return [
    { label, value: <Enabled enabled={enabled} enforced={enforced} /> },
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
