// What a refused form says on top of its page when no single field is at fault: the reason, and the ways out.
import type { ComponentChildren } from 'preact';
import type { Blocker, ProblemMembers } from '../../shared/ground/problems.ts';
import type { FormOutcome } from '../../shared/kernel/operation/services.ts';
import { Block, Blockers } from './block.tsx';
import { ButtonLink } from './button.tsx';

export interface RefusalProps {
  problem: NonNullable<FormOutcome['problem']>;
  /** Instead of the problem's own title. */
  title?: ComponentChildren;
  /** The smallest edits that unblock, as buttons. */
  actions?: ComponentChildren;
}

/** Takes the focus when the page arrives (islands/errors.ts). */
export function Refusal({ problem, title, actions }: RefusalProps) {
  const owner = problem.owner as ProblemMembers['owner'];
  const toPlan = owner?.page && <ButtonLink href={owner.page}>Confirm the plan or roll it back</ButtonLink>;
  return (
    <div role="alert" tabIndex={-1} class="refusal">
      <Block level={2} title={title ?? problem.title} actions={actions ?? toPlan}>
        {problem.detail}
      </Block>
      <Blockers blockers={(problem.blockers as Blocker[] | undefined) ?? []} />
    </div>
  );
}
