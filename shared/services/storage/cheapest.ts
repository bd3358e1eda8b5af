// What the server has to do for a change: who may mount what needs no restart.
import type { Facts } from '../../platform/units/facts.ts';
import type { UnitChange } from '../../platform/units/unit.ts';
import { sameExport, storage } from './facts.ts';
import { EXPORTS_FILE, GANESHA_FILE, NFS_FILE } from './files.ts';

export type Action = 'none' | 'reload' | 'start' | 'restart' | 'stop';

/**
 * Whether Ganesha has to begin anew: it takes its versions only at its start, and an export that it knows keeps its path,
 * whatever the file says.
 */
function changesMore(before: Facts | null, after: Facts): boolean {
  if (before === null) return true;
  const [had, has] = [[...storage.all(before, 'datastore')], [...storage.all(after, 'datastore')]];
  const threes = (all: typeof had) => all.some(([, { version }]) => version === '3');
  const known = new Map(had.map(([, each]) => [each.fsid, each]));
  return threes(had) !== threes(has) || has.some(([, each]) => !sameExport(known.get(each.fsid) ?? each, each));
}

/** Pure: what the server has to do for a change. The files are in place already. */
export function actionFor(wanted: boolean, running: boolean, { before, after, written, removed }: UnitChange): Action {
  if (!wanted) return running ? 'stop' : 'none';
  if (!running) return 'start';
  const touched = new Set([...written, ...removed]);
  // Put in force once more: the files are right, but the server may have lost an export by hand.
  if (touched.size === 0 && before !== null && storage.differences(before, after).length === 0) return 'reload';
  if (touched.has(NFS_FILE) || (touched.has(GANESHA_FILE) && changesMore(before, after))) return 'restart';
  return touched.has(EXPORTS_FILE) || touched.has(GANESHA_FILE) ? 'reload' : 'none';
}
