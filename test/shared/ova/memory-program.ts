// Checks OVAs in a process of its own, and says how each ended, how long that took and how far its memory went.
// Usage: memory-program.ts <ova>…
import { OvaFault } from '../../../shared/ova/fault.ts';
import { verifyOva } from '../../../shared/ova/verify-ova.ts';

const outcomes: string[] = [];
const milliseconds: number[] = [];
for (const path of process.argv.slice(2)) {
  const start = performance.now();
  outcomes.push(
    await verifyOva(path).then(
      () => 'accepted',
      (error: unknown) => (error instanceof OvaFault ? error.fault : String(error)),
    ),
  );
  milliseconds.push(Math.round(performance.now() - start));
}
const peak_mib = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ outcomes, milliseconds, peak_mib }));
