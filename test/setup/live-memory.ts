// What the program still holds, so that a bound on memory can be stated without a margin for what the collector has not
// come to yet: how much that is differs from run to run and from machine to machine.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Bytes of heap and buffers that are in use after a full collection. Takes tens of milliseconds. */
export function liveMemory(): number {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
