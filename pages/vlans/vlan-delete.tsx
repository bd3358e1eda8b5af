// Asks before a VLAN is deleted: what it is, and what depends on it.
import { foreseeDeletion } from '../../shared/network/foresee.ts';
import type { NetworkInterface } from '../../shared/network/interface.ts';
import { idParam } from '../../shared/operation/component.ts';
import { notFound } from '../../shared/operation/problems.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../interfaces/answer.tsx';
import { Dependents, Listed } from '../interfaces/cells.tsx';
import { Preview } from '../interfaces/preview.tsx';
import { type Line, loadStanding } from '../interfaces/standing.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

interface Data {
  line: Line;
  saved: NetworkInterface;
  foreseen: Awaited<ReturnType<typeof foreseeDeletion>>;
}

export const page = definePage({
  id: 'vlanDeletePage',
  path: '/ui/management/vlans/{vlan_id}/delete',
  current: '/ui/management/vlans',
  access: { session: 'write:vlans' },
  params: idParam('vlan_id', 'Id of the VLAN.'),
  async load({ services, params, db }): Promise<Data> {
    const { lines, interfaces } = await loadStanding(services);
    const line = lines.find(({ saved }) => saved?.kind === 'vlan' && saved.id === params.vlan_id);
    if (!line?.saved) throw notFound('This VLAN');
    return { line, saved: line.saved, foreseen: await foreseeDeletion(db, line.saved, interfaces) };
  },
  title: ({ line }) => `Delete ${line.name}`,
  view: VlanDelete,
});

function VlanDelete({ data: { line, saved, foreseen }, state, outcome }: ViewProps<Data>) {
  const own = outcome?.operation_id === 'deleteVlanForm' ? outcome : null;
  const { refused } = foreseen;
  const href = `/ui/management/vlans/${saved.id}`;
  return (
    <>
      <PageHead
        trail={[
          { href: '/ui/management/vlans', label: 'VLANs' },
          { href, label: <code>{saved.name}</code> },
        ]}
        here="Delete"
        title={
          <>
            Delete <span class="mono">{saved.name}</span>?
          </>
        }
      />
      <Refusal
        problem={own?.problem?.status === 412 ? { ...own.problem, status: 409 } : (own?.problem ?? null)}
        labels={{}}
      />
      <p>
        The VLAN leaves the desired state now.{' '}
        {line.was.size > 0
          ? 'The host keeps its link and addresses until the next reviewed apply removes them.'
          : 'It was never applied, so nothing changes on the host.'}
      </p>
      <FactsList
        facts={[
          { label: 'Addresses', value: <Listed items={[saved.ipv4_cidr, saved.ipv6_cidr].filter(Boolean)} /> },
          { label: 'Services', value: <Dependents line={line} reasons /> },
          { label: 'Role', value: saved.role },
        ]}
      />
      <Preview
        foreseen={{
          act: 'delete',
          impact: refused ? null : foreseen.impact,
          refused: refused ? { title: 'It cannot go yet', detail: refused, blockers: foreseen.blockers } : null,
          unseen: null,
        }}
        name={saved.name}
        labels={{}}
      />
      <Form action={`${href}/delete`} csrf={state.csrf} revision={saved.revision} label={`Delete ${saved.name}`}>
        <FormActions>
          <Button kind="bad" unavailable={refused ? 'something still needs it' : undefined}>
            Delete VLAN
          </Button>
          <ButtonLink href={href}>Keep it</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
