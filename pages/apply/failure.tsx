// Why an apply did not go through, what became of each unit, and the units that were not reached, once and folded.
import { STEP_WORDS } from '../../shared/appliance/apply/failure.ts';
import type { Plan } from '../../shared/appliance/apply/plan.ts';
import type { RunJournal } from '../../shared/appliance/apply/plan-store.ts';
import type { FailedAt } from '../../shared/ground/problems.ts';
import type { Job } from '../../shared/kernel/jobs/job.ts';
import { Block } from '../components/block.tsx';
import { More } from '../components/code.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { outcomes } from './run-facts.ts';
import { listed, units } from './words.tsx';

interface FailureProps {
  plan: Plan;
  job: Job;
  journal: RunJournal;
}

export function Failure({ plan, job, journal }: FailureProps) {
  const { reached, left } = outcomes(plan.units, job, journal);
  const { error } = job;
  const title = plan.state === 'cancelled' ? 'Stopped before its end' : titleOf(plan, journal);
  return (
    <>
      <Block title={title}>
        {error?.detail && <span class="line">{error.detail}</span>}
        {reached.map((sentence) => (
          <span key={sentence} class="line">
            {sentence}
          </span>
        ))}
      </Block>
      {left.length > 0 && (
        <More summary={`${units(left.length)} not reached`}>
          <p>
            {listed(left)}: {left.length === 1 ? 'its changes are' : 'their changes are'} still saved and pending.
          </p>
        </More>
      )}
      {error && <Facts facts={factsOf(plan, error)} />}
    </>
  );
}

function titleOf(plan: Plan, journal: RunJournal): string {
  const steps = Object.values(journal);
  if (steps.includes('unrestored')) return 'Not everything could be restored';
  const applied = steps.filter((step) => step === 'applied').length;
  return applied === 0 ? 'Nothing was applied' : `${applied} of ${units(plan.units.length)} applied`;
}

function factsOf(plan: Plan, error: NonNullable<Job['error']>): Fact[] {
  const { unit, step, file } = (error.failed as FailedAt | undefined) ?? {};
  const label = plan.units.find(({ id }) => id === unit)?.label;
  const words = (STEP_WORDS as Readonly<Record<string, string>>)[step ?? ''];
  return [
    ...(label ? [{ label: 'Unit', value: label }] : []),
    ...(words ? [{ label: 'Step', value: words }] : []),
    ...(file ? [{ label: 'File', value: <code class="wrap">{file}</code> }] : []),
    ...(error.request_id ? [{ label: 'Request id', value: <code>{error.request_id}</code> }] : []),
  ];
}
