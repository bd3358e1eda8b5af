// What is asked before an interface that is gone, or a VLAN, leaves the desired state: what it is, and what depends on it.
import { impactOf } from '../../shared/appliance/edits/edits.ts';
import type { Foreseen } from '../../shared/appliance/edits/interface-edit.ts';
import type { Line } from '../../shared/appliance/states/interface-lines.ts';
import type { Blocker } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { interfacePage } from '../../shared/platform/interfaces/edit-together.ts';
import type { NetworkInterface } from '../../shared/platform/interfaces/interface.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { FactsList } from '../components/facts.tsx';
import { Form, FormActions } from '../components/form.tsx';
import { PageHead } from '../layout/shell.tsx';
import type { ShellState } from '../layout/state.ts';
import { Refusal } from './answer.tsx';
import { Dependents, Listed } from './cells.tsx';
import { Preview } from './preview.tsx';

export interface DeletionData {
  line: Line;
  saved: NetworkInterface;
  foreseen: Foreseen;
}

export interface DeletionProps {
  data: DeletionData;
  /** The list that it belongs to. */
  list: { href: string; label: string };
  /** `VLAN` */
  what: string;
  /** What leaving the desired state means to the host. */
  consequence: string;
  /** Of the form of this page. */
  outcome: FormOutcome | null;
  state: ShellState;
}

export function Deletion({ data, list, what, consequence, outcome, state }: DeletionProps) {
  const { line, saved, foreseen } = data;
  const { effect, refused } = foreseen;
  const blockers = refused?.members.blockers ?? [];
  const problem = outcome?.problem ?? null;
  const href = interfacePage(saved);
  return (
    <>
      <PageHead
        trail={[list, { href, label: <code>{saved.name}</code> }]}
        here="Delete"
        title={
          <>
            Delete <span class="mono">{saved.name}</span>?
          </>
        }
      />
      <Refusal problem={problem?.status === 412 ? { ...problem, status: 409 } : problem} labels={{}} />
      <p>
        The {what} leaves the desired state now. {consequence}
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
          impact: refused ? null : impactOf(effect),
          refused: refused ? { title: 'It cannot go yet', detail: refused.message, blockers } : null,
          unseen: null,
        }}
        name={saved.name}
        labels={{}}
      />
      <Form action={`${href}/delete`} csrf={state.csrf} revision={saved.revision} label={`Delete ${saved.name}`}>
        <FormActions>
          <Button kind="bad" unavailable={refused ? whyNot(blockers) : undefined}>
            Delete {what}
          </Button>
          <ButtonLink href={href}>Keep it</ButtonLink>
        </FormActions>
      </Form>
    </>
  );
}

const whyNot = (blockers: readonly Blocker[]): string =>
  blockers.length > 0 ? 'something still needs it' : 'it can’t be deleted';
