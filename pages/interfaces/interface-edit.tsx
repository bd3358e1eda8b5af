// One physical interface: its form, and beside it what the next apply changes and who depends on it.
import { listAudit } from '../../shared/audit/list.ts';
import type { PhysicalInterface } from '../../shared/network/interface-resource.ts';
import { idParam } from '../../shared/operation/component.ts';
import { notFound } from '../../shared/operation/problems.ts';
import { Facts, FactsList } from '../components/facts.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { FIELD_LABELS, type LastSave, NextApply, Refusal, Stale, WouldChange } from './answer.tsx';
import { LinkWord, Listed } from './cells.tsx';
import { filledFrom, typedDifferently } from './filled.ts';
import { InterfaceForm } from './interface-form.tsx';
import { differencesOf, hrefOf, type Line, loadStanding, type Standing } from './standing.ts';

const LIST = '/ui/management/interfaces';
const FORM = 'updatePhysicalInterfaceForm';

interface Data {
  line: Line;
  standing: Standing;
  last: LastSave | null;
}

export const page = definePage({
  id: 'interfaceEditPage',
  path: `${LIST}/{name}`,
  current: LIST,
  access: { session: 'read:interfaces' },
  params: idParam('name', 'Name of the interface.'),
  async load({ services, params, db, outcome }): Promise<Data> {
    const standing = await loadStanding(services);
    const line = standing.lines.find(({ name, saved }) => name === params.name && saved?.kind === 'physical');
    if (!line) throw notFound('This interface');
    if (outcome?.problem?.status !== 412) return { line, standing, last: null };
    const { items } = await listAudit(db, { resource_type: 'interface', resource_id: line.name, limit: 1 });
    return { line, standing, last: items[0] ? { by: items[0].actor.name, at: items[0].at } : null };
  },
  title: ({ line }) => `Edit ${line.name}`,
  view: InterfaceEdit,
});

function InterfaceEdit({ data: { line, standing, last }, state, outcome }: ViewProps<Data>) {
  const saved = line.saved!;
  const filled = filledFrom(saved, outcome, FORM);
  const problem = filled.outcome?.problem ?? null;
  const checked = filled.outcome?.dry_run ? (filled.outcome.result as PhysicalInterface | null)?.impact : undefined;
  return (
    <>
      <PageHead
        trail={[{ href: LIST, label: 'Interfaces' }]}
        here={<code>{saved.name}</code>}
        title={
          <>
            Edit <span class="mono">{saved.name}</span>
          </>
        }
      />
      <Refusal problem={problem} labels={FIELD_LABELS} />
      {problem?.status === 412 && (
        <Stale
          name={saved.name}
          revision={saved.revision}
          last={last}
          differences={typedDifferently(saved, filled, FIELD_LABELS)}
          now={state.now}
        />
      )}
      <div class="split">
        <div>
          <Facts
            facts={[
              { label: 'Link', value: <LinkWord line={line} /> },
              { label: 'MAC address', value: <code>{saved.mac_address}</code> },
              { label: 'Driver', value: <code>{saved.driver ?? 'unknown'}</code> },
            ]}
          />
          <InterfaceForm
            saved={saved}
            was={line.was}
            vlans={vlansOf(standing, saved.name)}
            filled={filled}
            state={state}
          />
        </div>
        <div class="stick">
          {checked && <WouldChange impact={checked} labels={FIELD_LABELS} />}
          <Beside line={line} standing={standing} />
        </div>
      </div>
    </>
  );
}

const vlansOf = (standing: Standing, name: string) =>
  standing.interfaces.filter((row) => row.parent_interface === name);

function Beside({ line, standing }: { line: Line; standing: Standing }) {
  const differences = differencesOf(line);
  const { ipv4_cidrs = [], ipv6_cidrs = [] } = line.saved?.observed ?? {};
  const vlans = vlansOf(standing, line.name);
  return (
    <section class="impact" aria-labelledby="standing">
      <h2 id="standing">{differences.length === 0 ? 'Saved and in force are the same' : 'Saved, not applied'}</h2>
      <NextApply differences={differences} />
      <FactsList
        facts={[
          { label: 'On the host', value: <Listed items={[...ipv4_cidrs, ...ipv6_cidrs]} /> },
          { label: 'Services', value: <Listed items={line.services} /> },
          {
            label: 'VLANs',
            value:
              vlans.length === 0 ? (
                <Listed items={[]} />
              ) : (
                vlans.map((vlan, index) => (
                  <span key={vlan.name}>
                    {index > 0 && ', '}
                    <a href={hrefOf(vlan)}>{vlan.name}</a>
                  </span>
                ))
              ),
          },
        ]}
      />
    </section>
  );
}
