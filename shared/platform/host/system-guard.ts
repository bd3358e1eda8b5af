// What a program of the appliance that runs as root may do to the machine: files by their paths and the grammar of each
// line, programs by their arguments and input. The service owns the database that desired state is read from; if the
// service is taken over, this guard still protects the machine. Pure.
import { normalize } from 'node:path';
import type { ExecOptions, RenderedFile } from '../../ground/machine/host.ts';
import type { UnitId } from '../unit-names.ts';
import type { HostFiles } from './host-files.ts';
import { strangeLine, type UnitFile } from './unit-files.ts';

/** Each function answers in one line why something is refused; null when it is permitted. */
export interface Guard {
  /** A file that is written or removed. Without content only the path counts. */
  fileRefusal(file: Pick<RenderedFile, 'path'> & Partial<RenderedFile>): string | null;
  /** A path that this unit renders. The content is not looked at. */
  pathRefusal(unit: UnitId, path: string): string | null;
  /** A systemd unit that is started, stopped or reloaded. */
  daemonRefusal(systemd: string): string | null;
  programRefusal(program: string, args: readonly string[], options?: ExecOptions): string | null;
  /** Whether a rehearsal runs the program: with these arguments it changes nothing. */
  rehearses(program: string, args: readonly string[]): boolean;
  /** The declared file of a path; null where no unit has one. */
  unitFile(path: string): (UnitFile & { unit: UnitId }) | null;
}

const OWN_PROGRAM = /^\/usr\/lib\/groundcrew\/dist\/([a-z]+-question)\.js$/;

/** The guard made of what these units declare, and of the watchdog. */
export function guardOf(units: readonly HostFiles[]): Guard {
  const files = units.flatMap(({ unit, files }) => files.map((file) => ({ ...file, unit })));
  const daemons = new Set(['groundcrew-watchdog.service', ...units.flatMap((each) => each.daemons)]);
  const companions = new Set(units.flatMap((each) => each.companions));

  // The path may come from a file that the service wrote.
  const unitFile: Guard['unitFile'] = (path) =>
    typeof path !== 'string' || normalize(path) !== path ? null : (files.find((each) => each.path.test(path)) ?? null);

  const fileRefusal: Guard['fileRefusal'] = ({ path, content, mode }) => {
    const known = unitFile(path);
    if (!known) return `${shown(path)} is no file of a unit`;
    if (mode !== undefined && (!Number.isInteger(mode) || (mode & ~0o644) !== 0))
      return `${path} would get mode ${mode.toString(8)}`;
    const strange = strangeLine(known, content ?? '');
    return strange === null ? null : `line ${strange} of ${path} is none that the unit writes`;
  };
  const fits = (path: string, content: string): boolean => fileRefusal({ path, content }) === null;

  const permits = (program: string, args: readonly string[], input: string): boolean => {
    // The programs of probes: they send packets and print the answers.
    if (program === process.execPath) return companions.has(OWN_PROGRAM.exec(args[0] ?? '')?.[1] ?? '');
    return units.some(({ programs }) => Object.hasOwn(programs, program) && programs[program]!(args, input, fits));
  };

  return {
    unitFile,
    fileRefusal,
    pathRefusal: (unit, path) => {
      const known = unitFile(path);
      return known?.unit === unit && known.rendered ? null : `${shown(path)} is no file of a unit`;
    },
    rehearses: (program, args) =>
      units.some(({ rehearses = {} }) => Object.hasOwn(rehearses, program) && rehearses[program]!(args)),
    daemonRefusal: (systemd) => (daemons.has(systemd) ? null : `${systemd} is no service of a unit`),
    programRefusal: (program, args, options = {}) =>
      permits(program, args, options.input ?? '')
        ? null
        : `${shown([program, ...args].join(' '))} is not run by a unit like that`,
  };
}

/** Characters that a refusal shows of a path or command line. */
const SHOWN = 120;
const shown = (text: string): string =>
  String(text)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, SHOWN);
