// What a unit declares in its `host-files.ts` of the machine that it changes: its files with what each line may be, the
// services of systemd and the programs that it uses. The guard of the root programs is made of these and of nothing else;
// they import none of the code that renders those files, so that what one of them lets pass does not pass here for it.
import type { UnitId } from '../unit-names.ts';
import type { UnitFile } from './unit-files.ts';

export interface HostFiles {
  unit: UnitId;
  files: readonly UnitFile[];
  /** systemd units that are started, stopped and told to reload. */
  daemons: readonly string[];
  /** Programs of our own that run beside the service, by the name of their bundle. */
  companions: readonly string[];
  /** By name; several units may each use one in their own way. */
  programs: Readonly<Record<string, Permitted>>;
}

/** Whether a program may be run with these arguments and this input. `fits`: whether a text may be the file at a path. */
export type Permitted = (
  args: readonly string[],
  input: string,
  fits: (path: string, content: string) => boolean,
) => boolean;

export const exactly =
  (...permitted: string[]): Permitted =>
  (args) =>
    permitted.includes(args.join(' '));
