// Names and values: in a row above a page's work, or as a list beside or below it.
import type { ComponentChildren } from 'preact';

export interface Fact {
  label: string;
  value: ComponentChildren;
}

function Pairs({ class: look, facts }: { class: string; facts: readonly Fact[] }) {
  return (
    <dl class={look}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Side by side, the label above its value. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return <Pairs class="facts" facts={facts} />;
}

/** One a line, the label before its value. */
export function FactsList({ facts }: { facts: readonly Fact[] }) {
  return <Pairs class="facts-list" facts={facts} />;
}

/** Four columns below a plan unit: risk, interruption, validation, who. */
export function Meta({ facts }: { facts: readonly Fact[] }) {
  return <Pairs class="meta" facts={facts} />;
}
