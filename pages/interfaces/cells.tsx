// Cells of the tables of interfaces and VLANs.
import type { ComponentChildren } from 'preact';
import type { Binding } from '../../shared/appliance/edits/bindings.ts';
import { differencesOf, GONE, isNothing, type Line, troubleOf } from '../../shared/appliance/states/interface-lines.ts';
import type { NetworkFact } from '../../shared/platform/network/facts.ts';
import { valueWords } from '../../shared/platform/network/words.ts';
import { More } from '../components/code.tsx';
import { PageLink } from '../components/page-link.tsx';
import { Change, State } from '../components/state-word.tsx';
import { StateOf } from '../components/state-words.tsx';

/** `10 Gb/s`, `100 Mb/s`. */
function speed(mbps: number | null): string {
  if (mbps === null) return '';
  return mbps >= 1000 ? `, ${mbps / 1000} Gb/s` : `, ${mbps} Mb/s`;
}

/** The link as the host last reported it. */
export function LinkWord({ line }: { line: Line }) {
  const { saved } = line;
  if (!saved) return <State kind="off">Removed by the next apply</State>;
  const trouble = troubleOf(line);
  if (trouble !== null) return <State kind={saved.present ? 'warn' : 'bad'}>{trouble}</State>;
  if (!saved.present) return <State kind="off">{GONE}</State>;
  if (saved.observed === null) return <State kind="off">Not on the host yet</State>;
  const up = saved.observed.link === 'up';
  if (!saved.enabled) return <State kind="off">{up ? 'Disabled, link up' : 'Disabled, no link'}</State>;
  return up ? <State kind="ok">Up{speed(saved.speed_mbps)}</State> : <State kind="off">No link</State>;
}

/** Link, and the addresses that the kernel has now. */
export function OnTheHost({ line }: { line: Line }) {
  const { ipv4_cidrs = [], ipv6_cidrs = [] } = line.saved?.observed ?? {};
  return (
    <>
      <LinkWord line={line} />
      {[...ipv4_cidrs, ...ipv6_cidrs].map((cidr) => (
        <span key={cidr} class="v6">
          <span class="vh">observed: </span>
          <code>{cidr}</code>
        </span>
      ))}
    </>
  );
}

/** Both families, in force and as saved. */
export function Addresses({ line, vlans }: { line: Line; vlans: number }) {
  const { saved, was, becomes } = line;
  const families = (['ipv4_cidr', 'ipv6_cidr'] as const).map((key) => {
    const reserve = saved?.role === 'unused' || saved?.enabled === false ? saved[key] || null : null;
    const [from = null, to = null] = [was, becomes].map((facts) => valueWords(key, facts[key]));
    return { key, from, to, reserve };
  });
  const shown = families.filter(({ from, to, reserve }) => from ?? to ?? reserve);
  const dhcp = becomes.ipv4_method === 'dhcp';
  if (vlans > 0 && shown.length === 0) {
    return (
      <span class="muted">
        carries {vlans} {vlans === 1 ? 'VLAN' : 'VLANs'}
      </span>
    );
  }
  if (shown.length === 0 && !dhcp) return <span class="muted">no address</span>;
  return (
    <>
      {dhcp && <span>by DHCP</span>}
      {shown.map(({ key, from, to, reserve }) => (
        <span key={key} class={from === to && key === 'ipv6_cidr' ? 'v6' : 'line'}>
          {from === null && to === null ? (
            <span class="muted">
              <code>{reserve}</code> {saved?.enabled === false ? 'when enabled' : 'in reserve'}
            </span>
          ) : (
            <Change from={from} to={to} />
          )}
        </span>
      ))}
    </>
  );
}

const ADDRESSES = new Set<NetworkFact>(['ipv4_cidr', 'ipv6_cidr']);

/** In force or not; what else than addresses is to change. */
export function Applied({ line }: { line: Line }) {
  const others = differencesOf(line).filter(({ setting }) => !ADDRESSES.has(setting));
  const fresh = isNothing(line.was);
  return (
    <>
      <StateOf state={line.state} />
      {line.pending && !fresh && line.saved && others.length > 0 && (
        <span class="muted line">
          {others.map(({ label, was, becomes }) => `${label} ${was ?? 'none'} → ${becomes ?? 'none'}`).join(', ')}
        </span>
      )}
      {line.pending && fresh && <span class="muted line">never applied</span>}
    </>
  );
}

/** Parts of a name that an empty cell would leave open. */
export function Listed({ items }: { items: readonly ComponentChildren[] }) {
  if (items.length === 0) return <span class="muted">none</span>;
  return <>{items.flatMap((item, index) => (index === 0 ? [item] : [', ', item]))}</>;
}

export interface DependentsProps {
  line: Pick<Line, 'name' | 'dependents'>;
  /** Says what the interface lacks, after all of them. */
  reasons?: boolean;
}

/** As many are linked in a cell; how many more there are opens the others. */
const DEPENDENTS_MOST = 12;
/** And as many more behind that; the pages of their services list all. */
const OPENED_MOST = 100;

/** Who depends on an interface; those that it can't carry are marked. */
export function Dependents({ line: { name, dependents }, reasons = false }: DependentsProps) {
  const faultsOn = ({ faults }: Binding) => faults.filter((fault) => fault.interface === name);
  const words = new Set(dependents.flatMap(faultsOn).map((fault) => fault.words));
  const links = dependents.map((binding) => (
    <Dependent key={binding.page + binding.label} binding={binding} failing={faultsOn(binding).length > 0} />
  ));
  const more = links.slice(DEPENDENTS_MOST);
  return (
    <>
      <Listed items={links.slice(0, DEPENDENTS_MOST)} />
      {more.length > 0 && (
        <More summary={`and ${more.length} more`}>
          <Listed items={more.slice(0, OPENED_MOST)} />
          {more.length > OPENED_MOST && <p class="muted">The pages of their services list all of them.</p>}
        </More>
      )}
      {reasons &&
        [...words].map((text) => (
          <span key={text} class="line">
            <State kind="bad">{text}</State>
          </span>
        ))}
    </>
  );
}

function Dependent({ binding: { label, page }, failing }: { binding: Binding; failing: boolean }) {
  const link = <PageLink href={page}>{label}</PageLink>;
  if (!failing) return link;
  return (
    <State kind="bad">
      {link}
      <span class="vh"> cannot be reached here</span>
    </State>
  );
}
