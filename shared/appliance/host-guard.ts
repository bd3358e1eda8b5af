// The guard of the appliance's root programs, of what its units declare. Only what may run as root loads it.
import { guardOf } from '../platform/host/system-guard.ts';
import { hostFiles } from './generated/host-files.ts';

export const GUARD = guardOf(hostFiles);
export const { fileRefusal, pathRefusal, daemonRefusal, programRefusal, unitFile } = GUARD;
