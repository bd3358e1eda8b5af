// How far something is, as a bar with its figures: share, bytes, rate, time left.
import { bytesOf, byteWords, leftWords, rateWords } from './byte-words.ts';

export { leftWords } from './byte-words.ts';

export type ProgressLook = 'running' | 'done' | 'failed';

export interface ProgressProps {
  /** What it is that goes on; for those who do not see the bar. */
  label: string;
  percent: number;
  look?: ProgressLook;
  figures?: {
    done_bytes?: number | undefined;
    total_bytes?: number | undefined;
    done_rows?: number | undefined;
    total_rows?: number | undefined;
    bytes_per_second?: number | undefined;
    /** Null: there is no estimate; undefined: nobody made one. */
    seconds_left?: number | null | undefined;
  };
  /** Said after the figures: where it stopped. */
  note?: string;
}

export function Progress({ label, percent, look = 'running', figures = {}, note }: ProgressProps) {
  const words = figureWords(figures, look);
  return (
    <div class={`told told-${look}`}>
      <progress
        max={100}
        value={percent}
        aria-label={label}
        aria-valuetext={[`${percent} %`, ...words.map(({ text }) => text)].join(', ')}
      />
      <p>
        <b class="share">{percent} %</b>
        {words.map(({ key, text }) => (
          <span key={key}>{text}</span>
        ))}
        {note !== undefined && <span>{note}</span>}
      </p>
    </div>
  );
}

function figureWords(
  {
    done_bytes,
    total_bytes,
    done_rows,
    total_rows,
    bytes_per_second,
    seconds_left,
  }: NonNullable<ProgressProps['figures']>,
  look: ProgressLook,
): { key: string; text: string }[] {
  const words: { key: string; text: string }[] = [];
  if (done_bytes !== undefined) {
    words.push({
      key: 'bytes',
      text: total_bytes === undefined ? byteWords(done_bytes) : bytesOf(done_bytes, total_bytes),
    });
  }
  if (done_rows !== undefined) {
    const all = total_rows === undefined ? '' : ` of ${total_rows.toLocaleString('en')}`;
    words.push({ key: 'rows', text: `${done_rows.toLocaleString('en')}${all} rows` });
  }
  // What no longer moves has no rate.
  if (look !== 'running') return words;
  if (bytes_per_second !== undefined) {
    words.push({ key: 'rate', text: bytes_per_second === 0 ? 'nothing moves' : rateWords(bytes_per_second) });
  }
  if (seconds_left !== undefined) words.push({ key: 'left', text: leftWords(seconds_left) });
  return words;
}
