// One VLAN: its form, and beside it what the next apply changes and who depends on it.
import { listAudit } from '../../shared/audit/list.ts';
import type { Vlan } from '../../shared/network/interface-resource.ts';
import { idParam } from '../../shared/operation/component.ts';
import { notFound } from '../../shared/operation/problems.ts';
import { Facts, FactsList } from '../components/facts.tsx';
import { type LastSave, NextApply, Refusal, Stale, VLAN_LABELS, WouldChange } from '../interfaces/answer.tsx';
import { LinkWord, Listed } from '../interfaces/cells.tsx';
import { filledFrom, typedDifferently } from '../interfaces/filled.ts';
import { differencesOf, type Line, loadStanding } from '../interfaces/standing.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { VlanForm } from './vlan-form.tsx';

interface Data {
  line: Line;
  last: LastSave | null;
}

export const page = definePage({
  id: 'vlanEditPage',
  path: '/ui/management/vlans/{vlan_id}',
  current: '/ui/management/vlans',
  access: { session: 'read:vlans' },
  params: idParam('vlan_id', 'Id of the VLAN.'),
  async load({ services, params, db, outcome }): Promise<Data> {
    const { lines } = await loadStanding(services);
    const line = lines.find(({ saved }) => saved?.kind === 'vlan' && saved.id === params.vlan_id);
    if (!line) throw notFound('This VLAN');
    if (outcome?.problem?.status !== 412) return { line, last: null };
    const { items } = await listAudit(db, { resource_type: 'vlan', resource_id: params.vlan_id, limit: 1 });
    return { line, last: items[0] ? { by: items[0].actor.name, at: items[0].at } : null };
  },
  title: ({ line }) => `Edit ${line.name}`,
  view: VlanEdit,
});

const { parent_interface: _parent, vlan_id: _number, ...EDITABLE } = VLAN_LABELS;

function VlanEdit({ data: { line, last }, state, outcome }: ViewProps<Data>) {
  const saved = line.saved!;
  const filled = filledFrom(saved, outcome, 'updateVlanForm');
  const problem = filled.outcome?.problem ?? null;
  const checked = filled.outcome?.dry_run ? (filled.outcome.result as Vlan | null)?.impact : undefined;
  const differences = differencesOf(line);
  const { ipv4_cidrs = [], ipv6_cidrs = [] } = saved.observed ?? {};
  return (
    <>
      <PageHead
        trail={[{ href: '/ui/management/vlans', label: 'VLANs' }]}
        here={<code>{saved.name}</code>}
        title={
          <>
            Edit <span class="mono">{saved.name}</span>
          </>
        }
      />
      <Refusal problem={problem} labels={VLAN_LABELS} />
      {problem?.status === 412 && (
        <Stale
          name={saved.name}
          revision={saved.revision}
          last={last}
          differences={typedDifferently(saved, filled, EDITABLE)}
          now={state.now}
        />
      )}
      <div class="split">
        <div>
          <Facts
            facts={[
              { label: 'Link', value: <LinkWord line={line} /> },
              {
                label: 'Parent',
                value: <a href={`/ui/management/interfaces/${saved.parent_interface}`}>{saved.parent_interface}</a>,
              },
              { label: 'VLAN number', value: <code>{saved.vlan_id}</code> },
            ]}
          />
          <VlanForm saved={saved} trunks={[]} was={line.was} filled={filled} state={state} />
        </div>
        <div class="stick">
          {checked && <WouldChange impact={checked} labels={VLAN_LABELS} />}
          <section class="impact" aria-labelledby="standing">
            <h2 id="standing">{differences.length === 0 ? 'Saved and in force are the same' : 'Saved, not applied'}</h2>
            <NextApply differences={differences} />
            <FactsList
              facts={[
                { label: 'On the host', value: <Listed items={[...ipv4_cidrs, ...ipv6_cidrs]} /> },
                { label: 'Services', value: <Listed items={line.services} /> },
              ]}
            />
          </section>
        </div>
      </div>
    </>
  );
}
