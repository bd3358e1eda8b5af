// What a unit's `host-files.ts` declares: its files with the grammar of their lines, its systemd services and its
// programs. The guard of the root programs is made of these alone. They import no code that renders the files: a
// mistake there must not pass the guard as well.
import type { UnitId } from '../unit-names.ts';
import type { UnitFile } from './unit-files.ts';

export interface HostFiles {
  unit: UnitId;
  files: readonly UnitFile[];
  /** systemd units that are started, stopped and told to reload. */
  daemons: readonly string[];
  /** Groundcrew's own programs that run beside the service, by the name of their bundle. */
  companions: readonly string[];
  /** By name; several units may declare the same program, each with its own arguments. */
  programs: Readonly<Record<string, Permitted>>;
  /** Programs that a rehearsal may run, each with a test of its arguments that it changes nothing: those of checks. */
  rehearses?: Readonly<Record<string, Harmless>>;
}

export type Harmless = (args: readonly string[]) => boolean;

/** One of these flags makes a program look only. */
export const lookingBy =
  (...flags: string[]): Harmless =>
  (args) =>
    flags.some((flag) => args.includes(flag));

/**
 * Whether a program may be run with these arguments and this input. `fits`: whether a text may be the file at a path.
 */
export type Permitted = (
  args: readonly string[],
  input: string,
  fits: (path: string, content: string) => boolean,
) => boolean;

export const exactly =
  (...permitted: string[]): Permitted =>
  (args) =>
    permitted.includes(args.join(' '));
