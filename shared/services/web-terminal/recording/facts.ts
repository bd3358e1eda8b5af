// What a recording says of itself beside what was printed.
import * as v from 'valibot';

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const headSchema = v.strictObject({
  user_id: text,
  user: text,
  /** Account of the operating system. */
  account: text,
  /** Another machine, and its port; none: the appliance itself. */
  machine: v.optional(text),
  source_address: text,
  started_at: text,
  /** How long it is kept: what the person was told when it began. */
  kept_until: text,
  columns: count,
  rows: count,
});
export type RecordingHead = v.InferOutput<typeof headSchema>;

export const endSchema = v.strictObject({
  ended_at: text,
  cause: text,
  /** Lines before this one. */
  lines: count,
});
export type RecordingEnd = v.InferOutput<typeof endSchema>;

/** Null: no JSON, or none of this shape. */
export function readFacts<const S extends typeof headSchema | typeof endSchema>(
  schema: S,
  json: string | null,
): v.InferOutput<S> | null {
  if (json === null) return null;
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json);
  return read.success ? (read.output as v.InferOutput<S>) : null;
}

/** What one recording may hold, in bytes of its asciicast, and what is gathered before it is written. */
export const RECORDING = {
  /** Of one terminal; it ends there. */
  most: 32 << 20,
  /** Bytes that are sealed together. */
  part: 64 << 10,
  /** Bytes of one event. */
  event: 16 << 10,
  /** Milliseconds that output may be one event, and that it may wait until it is written. */
  event_ms: 20,
  part_ms: 1_000,
  /** Bytes that the disk has not taken: above, the shell waits. */
  behind: 1 << 20,
  /** Recordings that are kept at a time. */
  kept: 2_000,
  /** Bytes that have to be left for another one. */
  least_room: 1 << 20,
} as const;
