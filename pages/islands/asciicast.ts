// Reads asciicast v2, as the appliance writes it: a header, and a line for each event.

export interface CastEvent {
  /** Seconds since the beginning, waits made short. */
  at: number;
  kind: string;
  text: string;
}

export interface Cast {
  columns: number;
  rows: number;
  /** Seconds that a replay takes. */
  seconds: number;
  events: CastEvent[];
}

/** `most`: seconds of the longest wait. */
export function castOf(text: string, most: number): Cast {
  const [first = '{}', ...lines] = text.split('\n');
  const { width = 80, height = 24 } = JSON.parse(first) as { width?: number; height?: number };
  const events: CastEvent[] = [];
  let before = 0;
  let at = 0;
  for (const line of lines) {
    if (line === '') continue;
    const [seconds, kind, content] = JSON.parse(line) as [number, string, string];
    at += Math.min(most, Math.max(0, seconds - before));
    before = seconds;
    events.push({ at, kind, text: content });
  }
  return { columns: width, rows: height, seconds: at, events };
}
