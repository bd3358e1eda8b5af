// The ring of a countdown: how much of its time something still has.
import { arcOf, RADIUS } from './ring-arc.ts';
import { countdown } from './time-words.ts';

/** Below it the ring warns, seconds. */
const LOW = 120;

/** Seconds that are left, of how many, and below which it warns. Drawn on the server; a script keeps it going. */
export function Ring({ left, of, low = LOW }: { left: number; of: number; low?: number }) {
  const circle = { cx: 36, cy: 36, r: RADIUS };
  return (
    <svg class="ring" viewBox="0 0 72 72" role="img" aria-label={`${countdown(left)} left`}>
      <circle {...circle} />
      <circle
        {...circle}
        class={left < low ? 'low' : 'run'}
        stroke-dasharray={arcOf(left / of)}
        transform="rotate(-90 36 36)"
        data-arc={of}
      />
      <text x="36" y="41.5" data-until={left}>
        {countdown(left)}
      </text>
    </svg>
  );
}
