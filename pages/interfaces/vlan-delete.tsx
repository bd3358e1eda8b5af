// Asks before a VLAN is deleted: what it is, and what depends on it.
import { deletionOf } from '../../shared/appliance/edits/edits.ts';
import { foresee } from '../../shared/appliance/edits/interface-edit.ts';
import { isNothing, loadStanding } from '../../shared/appliance/states/interface-lines.ts';
import { pagePath, pageRoute } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Deletion, type DeletionData } from './deletion.tsx';

export const page = definePage({
  id: 'vlanDeletePage',
  path: `${pageRoute('vlan')}/delete`,
  current: pagePath('vlans'),
  access: { session: 'write:vlans' },
  params: idParam('vlan_id', 'Id of the VLAN.'),
  async load({ services, standings, params, db }): Promise<DeletionData> {
    const { lines, interfaces } = await loadStanding({ services, standings });
    const line = lines.find(({ saved }) => saved?.kind === 'vlan' && saved.id === params.vlan_id);
    if (!line?.saved) throw notFound('This VLAN');
    return { line, saved: line.saved, foreseen: await foresee(db, deletionOf(line.saved, interfaces)) };
  },
  title: ({ line }) => `Delete ${line.name}`,
  view: VlanDelete,
});

function VlanDelete({ data, state, outcome }: ViewProps<DeletionData>) {
  return (
    <Deletion
      data={data}
      list={{ href: pagePath('vlans'), label: 'VLANs' }}
      what="VLAN"
      consequence={
        !isNothing(data.line.was)
          ? 'The host keeps its link and addresses until the next reviewed apply removes them.'
          : 'It was never applied, so nothing changes on the host.'
      }
      outcome={outcome?.operation_id === 'deleteVlanForm' ? outcome : null}
      state={state}
    />
  );
}
