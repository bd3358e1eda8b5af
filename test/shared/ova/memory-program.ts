// Checks OVAs in a process of its own, and says how each ended and how far its memory went.
// Usage: memory-program.ts <ova>…
import { OvaFault } from '../../../shared/ova/fault.ts';
import { verifyOva } from '../../../shared/ova/verify-ova.ts';

const outcomes: string[] = [];
for (const path of process.argv.slice(2)) {
  outcomes.push(
    await verifyOva(path).then(
      () => 'accepted',
      (error: unknown) => (error instanceof OvaFault ? error.fault : String(error)),
    ),
  );
}
const peak_mib = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ outcomes, peak_mib }));
