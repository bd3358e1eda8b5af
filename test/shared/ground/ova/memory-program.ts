// Checks OVAs in a process of its own, and says how each ended after how many milliseconds, and how far the memory of the
// process went, in bytes.
// Usage: memory-program.ts <ova>…
import { readFileSync } from 'node:fs';
import { OvaFault } from '../../../../shared/ground/ova/fault.ts';
import { verifyOva } from '../../../../shared/ground/ova/verify-ova.ts';

const checks: { outcome: string; ms: number }[] = [];
for (const path of process.argv.slice(2)) {
  const began = performance.now();
  const outcome = await verifyOva(path).then(
    () => 'accepted',
    (error: unknown) => (error instanceof OvaFault ? error.fault : String(error)),
  );
  checks.push({ outcome, ms: performance.now() - began });
}
// Not the resource usage of the process: that begins with what the process had that started it.
const peak = Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
console.log(JSON.stringify({ checks, peak }));
