// One VLAN: its form, and beside it what saving moves and who depends on it.

import { type Line, loadStanding } from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf } from '../layout/form-state.tsx';
import { EDITABLE_VLAN_LABELS } from './answer.tsx';
import { EditFrame } from './edit-frame.tsx';
import { filledFrom } from './filled.ts';
import { VlanForm } from './vlan-form.tsx';

const LIST = pagePath('vlans');

interface Data {
  line: Line & { saved: NetworkInterface };
  last: LastSave | null;
}

export const page = definePage({
  id: 'vlanEditPage',
  path: `${LIST}/{vlan_id}`,
  current: LIST,
  access: { session: 'read:vlans' },
  params: idParam('vlan_id', 'Id of the VLAN.'),
  async load({ services, standings, params, db, outcome }): Promise<Data> {
    const { lines } = await loadStanding({ services, standings });
    const line = lines.find(({ saved }) => saved?.kind === 'vlan' && saved.id === params.vlan_id);
    if (!line?.saved) throw notFound('This VLAN');
    const last = await lastSaveOf(db, outcome, { type: 'vlan', id: params.vlan_id });
    return { line: { ...line, saved: line.saved }, last };
  },
  title: ({ line }, { user }) => (user.scopes.includes('write:vlans') ? `Edit ${line.name}` : line.name),
  view: VlanEdit,
});

function VlanEdit({ data: { line, last }, state, outcome }: ViewProps<Data>) {
  const { saved } = line;
  const filled = filledFrom(saved, outcome, 'updateVlanForm');
  const parent = pagePath('interface', saved.parent_interface!);
  return (
    <EditFrame
      list={{ href: LIST, label: 'VLANs' }}
      line={line}
      filled={filled}
      labels={EDITABLE_VLAN_LABELS}
      last={last}
      now={state.now}
      deletes="Delete VLAN"
      mayWrite={state.user.scopes.includes('write:vlans')}
      facts={[
        { label: 'Parent', value: <a href={parent}>{saved.parent_interface}</a> },
        { label: 'VLAN number', value: <code>{saved.vlan_id}</code> },
      ]}
      beside={[]}
    >
      <VlanForm saved={saved} trunks={[]} was={line.was} filled={filled} state={state} />
    </EditFrame>
  );
}
