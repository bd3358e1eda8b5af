// Asks before an interface that is no longer in the machine is forgotten.
import { deletionOf } from '../../shared/appliance/edits/edits.ts';
import { foresee } from '../../shared/appliance/edits/interface-edit.ts';
import { isNothing, loadStanding } from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { notFound } from '../../shared/ground/problems.ts';
import { idParam } from '../../shared/ground/schemas/component.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { Deletion, type DeletionData } from './deletion.tsx';

const LIST = pagePath('interfaces');

export const page = definePage({
  id: 'interfaceDeletePage',
  path: `${LIST}/{name}/delete`,
  current: LIST,
  access: { session: 'write:interfaces' },
  params: idParam('name', 'Name of the interface.'),
  async load({ services, standings, params, db }): Promise<DeletionData> {
    const { lines, interfaces } = await loadStanding({ services, standings });
    const line = lines.find(({ name, saved }) => name === params.name && saved?.kind === 'physical');
    if (!line?.saved) throw notFound('This interface');
    return { line, saved: line.saved, foreseen: await foresee(db, deletionOf(line.saved, interfaces)) };
  },
  title: ({ line }) => `Delete ${line.name}`,
  view: InterfaceDelete,
});

function InterfaceDelete({ data, state, outcome }: ViewProps<DeletionData>) {
  const applied = !isNothing(data.line.was)
    ? 'What was applied for it goes with the next reviewed apply.'
    : 'It was never applied, so nothing changes on the host.';
  return (
    <Deletion
      data={data}
      list={{ href: LIST, label: 'Interfaces' }}
      what="interface"
      consequence={`${applied} Should its adapter come back, it is a new interface without settings.`}
      outcome={outcome?.operation_id === 'deletePhysicalInterfaceForm' ? outcome : null}
      state={state}
    />
  );
}
