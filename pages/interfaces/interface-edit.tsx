// One physical interface: its form, and beside it what saving moves and who depends on it.

import { type Line, loadStanding } from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { interfacePage } from '../../shared/platform/interfaces/edit-together.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { type LastSave, lastSaveOf } from '../layout/form-state.tsx';
import { FIELD_LABELS } from './answer.tsx';
import { Listed } from './cells.tsx';
import { EditFrame } from './edit-frame.tsx';
import { filledFrom } from './filled.ts';
import { InterfaceForm } from './interface-form.tsx';

const LIST = pagePath('interfaces');

interface Data {
  line: Line & { saved: NetworkInterface };
  vlans: NetworkInterface[];
  last: LastSave | null;
}

export const page = definePage({
  id: 'interfaceEditPage',
  path: `${LIST}/{name}`,
  current: LIST,
  access: { session: 'read:interfaces' },
  params: idParam('name', 'Name of the interface.'),
  async load({ services, standings, params, db, outcome }): Promise<Data> {
    const { lines, interfaces } = await loadStanding({ services, standings });
    const line = lines.find(({ name, saved }) => name === params.name && saved?.kind === 'physical');
    if (!line?.saved) throw notFound('This interface');
    return {
      line: { ...line, saved: line.saved },
      vlans: interfaces.filter((row) => row.parent_interface === line.name),
      last: await lastSaveOf(db, outcome, { type: 'interface', id: line.name }),
    };
  },
  title: ({ line }, { user }) => (user.scopes.includes('write:interfaces') ? `Edit ${line.name}` : line.name),
  view: InterfaceEdit,
});

function InterfaceEdit({ data: { line, vlans, last }, state, outcome }: ViewProps<Data>) {
  const { saved } = line;
  const filled = filledFrom(saved, outcome, 'updatePhysicalInterfaceForm');
  const links = vlans.map((vlan) => (
    <a key={vlan.name} href={interfacePage(vlan)}>
      {vlan.name}
    </a>
  ));
  return (
    <EditFrame
      list={{ href: LIST, label: 'Interfaces' }}
      line={line}
      filled={filled}
      labels={FIELD_LABELS}
      last={last}
      now={state.now}
      deletes={saved.present ? null : 'Delete interface'}
      mayWrite={state.user.scopes.includes('write:interfaces')}
      facts={[
        { label: 'MAC address', value: <code>{saved.mac_address}</code> },
        { label: 'Driver', value: <code>{saved.driver ?? 'unknown'}</code> },
      ]}
      beside={[{ label: 'VLANs', value: <Listed items={links} /> }]}
    >
      <InterfaceForm saved={saved} was={line.was} vlans={vlans} filled={filled} state={state} />
    </EditFrame>
  );
}
