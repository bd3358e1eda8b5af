// Instants on a page: relative to now, with the exact UTC instant as title; or exact where the order matters.
import { exact, relative } from './time-words.ts';

export * from './time-words.ts';

/** `now` travels along, so that a script keeps the words fresh by the appliance's clock and not the browser's. */
export function Instant({ at, now }: { at: string; now: string }) {
  return (
    <time datetime={at} title={exact(at)} data-relative={now}>
      {relative(at, now)}
    </time>
  );
}

/** The exact instant itself, where the order of things matters more than their age. */
export function ExactInstant({ at }: { at: string }) {
  return (
    <time datetime={at} class="nowrap">
      {exact(at)}
    </time>
  );
}
