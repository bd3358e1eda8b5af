// One unit of a plan as it was reviewed: what changes in words, setting by setting, how risky, who checked it.
import type { ComponentChildren } from 'preact';
import type { PlannedUnit } from '../../shared/appliance/apply/plan.ts';
import type { CheckResult, Risk } from '../../shared/platform/units/unit.ts';
import { Block } from '../components/block.tsx';
import { Diff } from '../components/diff.tsx';
import { Meta } from '../components/facts.tsx';
import { State, type StateKind } from '../components/state-word.tsx';
import { duration } from '../components/time.tsx';

const RISKS: Record<Risk, { kind: StateKind; word: string }> = {
  low: { kind: 'ok', word: 'Low' },
  medium: { kind: 'warn', word: 'Medium' },
  high: { kind: 'bad', word: 'High' },
};

interface PlanUnitProps {
  unit: PlannedUnit;
  number: number;
  /** What was changed on the host. */
  drift?: ComponentChildren;
  /** Who changed it since it was last applied, and when. */
  changedBy?: ComponentChildren;
}

export function PlanUnit({ unit, number, drift, changedBy }: PlanUnitProps) {
  const { label, reason, says, risk, interruption, diff, raw, check } = unit;
  return (
    <li class="unit">
      <span class="n" aria-hidden="true">
        {number}
      </span>
      <div>
        <div class="unit-head">
          <h2>{label}</h2>
          <span class="muted">Included: {reason}</span>
        </div>
        <ul class="says">
          {says.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {check && !check.ok && <Faults check={check} />}
        {drift}
        <Diff
          subject={label}
          changes={diff.rows}
          total={diff.added + diff.changed + diff.removed}
          raw={raw === '' ? null : raw}
        >
          <Meta
            facts={[
              { label: 'Risk', value: <State kind={RISKS[risk].kind}>{RISKS[risk].word}</State> },
              { label: 'Interruption', value: interruption },
              { label: 'Validation', value: <Validation check={check} /> },
              { label: 'Changes', value: counted(unit) },
              ...(changedBy ? [{ label: 'Changed by', value: changedBy }] : []),
            ]}
          />
        </Diff>
      </div>
    </li>
  );
}

function Validation({ check }: { check: CheckResult | null }) {
  if (check === null) return <span class="muted">not checked</span>;
  return (
    <State kind={check.ok ? 'ok' : 'bad'}>
      {check.ok ? <code>{check.program}</code> : `Refused by ${check.program}`}, {duration(check.duration_ms)}
    </State>
  );
}

function Faults({ check }: { check: CheckResult }) {
  return (
    <Block title={`Refused by ${check.program}`}>
      {check.faults.map((fault) => (
        <span key={fault} class="line mono">
          {fault}
        </span>
      ))}
    </Block>
  );
}

/** `2 added, 1 changed; 3 files written`. */
function counted({ diff, written, removed }: PlannedUnit): string {
  const said = (parts: [count: number, what: string][]) =>
    parts.flatMap(([count, what]) => (count > 0 ? [`${count.toLocaleString('en')} ${what}`] : [])).join(', ');
  const settings = said([
    [diff.added, 'added'],
    [diff.changed, 'changed'],
    [diff.removed, 'removed'],
  ]);
  const files = said([
    [written.length, written.length === 1 ? 'file written' : 'files written'],
    [removed.length, removed.length === 1 ? 'file removed' : 'files removed'],
  ]);
  return [settings, files].filter(Boolean).join('; ') || 'none';
}
