// The applied manifest of the web terminal: at which addresses of the management UI it may be opened, how long and how often.
// The apply writes it, and without it no terminal opens. It has no secret.
import * as v from 'valibot';
import type { Host } from '../../ground/machine/host.ts';
import { MANIFEST_PATH } from './files.ts';

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const schema = v.object({
  version: v.literal(1),
  listeners: v.array(v.object({ interface: v.string(), address: v.string() })),
  idle_minutes: count,
  session_minutes: count,
  sessions: count,
  sessions_per_user: count,
  /** What is printed is recorded: for how many days it is kept, and how many megabytes all recordings may have. */
  recording: v.optional(v.object({ days: count, megabytes: count })),
});

export type TerminalManifest = v.InferOutput<typeof schema>;

/** The text of the file: the same manifest always gives the same text. */
export const writeManifest = (manifest: TerminalManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

/** @throws Error when the text is no manifest of this release. */
export function parseManifest(content: string): TerminalManifest {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), content);
  if (!read.success) throw new Error('The applied manifest of the web terminal is not one of this release.');
  return read.output;
}

/** The one in force on the host; null when it is off, was never applied, or is damaged: then nothing opens. */
export async function readManifest(host: Pick<Host, 'read'>): Promise<TerminalManifest | null> {
  const content = await host.read(MANIFEST_PATH).catch(() => null);
  if (content === null) return null;
  try {
    return parseManifest(content);
  } catch {
    return null; // nothing opens: the drift check compares the file, and names it
  }
}

/** Whether a terminal may be opened over a connection that came in at this local address. */
export const opensAt = (manifest: TerminalManifest | null, address: string): manifest is TerminalManifest =>
  manifest?.listeners.some((each) => each.address === address) ?? false;
