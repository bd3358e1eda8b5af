// A new VLAN.

import * as v from 'valibot';
import { NOTHING } from '../../shared/appliance/states/interface-lines.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { loadInterfaces, type NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { ButtonLink } from '../components/button.tsx';
import { Empty } from '../components/empty.tsx';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';
import { Refusal, VLAN_LABELS } from './answer.tsx';
import { filledFrom } from './filled.ts';
import { foreseenIn } from './foreseen.ts';
import { Jump, Preview } from './preview.tsx';
import { VlanForm } from './vlan-form.tsx';

interface Data {
  trunks: NetworkInterface[];
  parent: string;
}

export const page = definePage({
  id: 'vlanNewPage',
  path: `${pagePath('vlans')}/new`,
  current: pagePath('vlans'),
  access: { session: 'write:vlans' },
  query: v.object({ parent: v.optional(v.pipe(v.string(), v.maxLength(64))) }),
  async load({ db, query }): Promise<Data> {
    const trunks = (await loadInterfaces(db)).filter((row) => row.kind === 'physical' && row.mode === 'trunk');
    return { trunks, parent: query.parent ?? trunks[0]?.name ?? '' };
  },
  title: () => 'Add VLAN',
  view: VlanNew,
});

function VlanNew({ data: { trunks, parent }, state, outcome }: ViewProps<Data>) {
  const blank: Partial<NetworkInterface> = { parent_interface: parent, role: 'access', enabled: true };
  const filled = filledFrom(blank, outcome, 'createVlanForm');
  const foreseen = foreseenIn(filled.outcome, 'add', VLAN_LABELS);
  return (
    <>
      <PageHead
        trail={[{ href: pagePath('vlans'), label: 'VLANs' }]}
        title="Add VLAN"
        intro="A tagged link on a trunk, with addresses of its own."
      />
      {!foreseen?.refused && <Refusal problem={filled.outcome?.problem ?? null} labels={VLAN_LABELS} />}
      <Jump foreseen={foreseen} />
      {trunks.length === 0 ? (
        <Empty action={<ButtonLink href={pagePath('interfaces')}>Choose an interface</ButtonLink>}>
          No interface is a trunk. Set the mode of one to trunk first; VLANs stand on trunks.
        </Empty>
      ) : (
        <div class="split">
          <VlanForm saved={null} trunks={trunks} was={NOTHING} filled={filled} state={state} />
          <div class="stick">
            <Preview foreseen={foreseen} name="VLAN" labels={VLAN_LABELS} />
          </div>
        </div>
      )}
    </>
  );
}
