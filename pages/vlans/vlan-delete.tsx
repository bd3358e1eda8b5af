// Asks before a VLAN is deleted: what it is, and what depends on it.
import type { NetworkInterface } from '../../shared/network/interface.ts';
import { idParam } from '../../shared/operation/component.ts';
import { notFound } from '../../shared/operation/problems.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { Refusal } from '../interfaces/answer.tsx';
import { Listed } from '../interfaces/cells.tsx';
import { type Line, loadStanding } from '../interfaces/standing.ts';
import { definePage, type ViewProps } from '../layout/define-page.tsx';
import { PageHead } from '../layout/shell.tsx';

export const page = definePage({
  id: 'vlanDeletePage',
  path: '/ui/management/vlans/{vlan_id}/delete',
  current: '/ui/management/vlans',
  access: { session: 'write:vlans' },
  params: idParam('vlan_id', 'Id of the VLAN.'),
  async load({ services, params }): Promise<Line & { saved: NetworkInterface }> {
    const { lines } = await loadStanding(services);
    const line = lines.find(({ saved }) => saved?.kind === 'vlan' && saved.id === params.vlan_id);
    if (!line?.saved) throw notFound('This VLAN');
    return { ...line, saved: line.saved };
  },
  title: ({ name }) => `Delete ${name}`,
  view: VlanDelete,
});

function VlanDelete({ data: { saved, was, services }, state, outcome }: ViewProps<Line & { saved: NetworkInterface }>) {
  const own = outcome?.operation_id === 'deleteVlanForm' ? outcome : null;
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
        {was.size > 0
          ? 'The host keeps its link and addresses until the next reviewed apply removes them.'
          : 'It was never applied, so nothing changes on the host.'}
      </p>
      <FactsList
        facts={[
          { label: 'Addresses', value: <Listed items={[saved.ipv4_cidr, saved.ipv6_cidr].filter(Boolean)} /> },
          { label: 'Services', value: <Listed items={services} /> },
          { label: 'Role', value: saved.role },
        ]}
      />
      <Form action={`${href}/delete`} csrf={state.csrf} revision={saved.revision} label={`Delete ${saved.name}`}>
        <FormActions>
          <Button kind="bad">Delete VLAN</Button>
          <ButtonLink href={href}>Keep it</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}
